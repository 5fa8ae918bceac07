// Renyi differential privacy of a composition (Mironov 2017; Mironov, Talwar, Zhang 2019).
//
// This epsilon is an upper bound as well, usually larger than the epsilon of privacy_loss.h, and serves as a check: the two
// have no code in common.
#pragma once

#include <span>

#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

// The divergence of one step. Whole orders use a sum, which also holds for the discrete Gaussian in any dimension: its
// proof uses D_k <= k / (2 noise^2) alone (Canonne, Kamath, Steinke 2020). Other orders use the integral for the continuous
// Gaussian. Noise on a grid has a loss that is greater by g = loss_of_grid() at most, and probabilities that are greater by
// e^g at most (mechanism.h): this adds g order / (order - 1) to the divergence. If the observer sees the sample, the two
// moments are mixed in place of the densities, for every order: (1 - rate) + rate e^(order (order - 1) / (2 noise^2)).
double renyi_divergence(const Mechanism& step, double order);

// 1.1, 1.2, ..., 10.9, then whole orders up to 512.
std::span<const double> renyi_orders();

// The least epsilon of all orders, by proposition 12 of Canonne, Kamath, Steinke. Infinite without noise, or if failures
// alone reach delta.
double epsilon_by_renyi(std::span<const Mechanism> mechanisms, double delta,
                        std::span<const double> orders = renyi_orders());

}  // namespace tacit::gnn
