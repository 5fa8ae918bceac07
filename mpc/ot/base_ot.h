// Base transfers: random oblivious transfers of 128-bit keys, by Chou and Orlandi (The Simplest Protocol for Oblivious Transfer,
// LATINCRYPT 2015) over ristretto255. The sender of a transfer gets two keys, the receiver the one that it chose.
//
//   sender: A = a·G  ->  receiver: B = b·G + c·A for each choice c  ->  keys H(a·B), H(a·(B - A)) and H(b·A)
//
// H is BLAKE2b under the session's nonce, of both ranks, the transfer's number, A, B and the secret point.
//
// Secure      against passive parties: computational Diffie-Hellman in ristretto255, H as a random oracle
// Checks      a received point must be the canonical encoding of a point other than the identity; otherwise ProtocolError
// Time        depends on the counts alone
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ot/block.h"
#include "mpc/random/nonce.h"
#include "mpc/sets/ristretto.h"

namespace tacit::mpc {

// One direction of one pair in one session. A name serves one set of transfers.
struct BaseOtName {
  Nonce nonce{};
  int sender = 0, receiver = 0;
};

class BaseOtSender {
 public:
  explicit BaseOtSender(const BaseOtName& name);

  const Point& point() const { return a_; }  // A, for the receiver
  // The keys 0 and 1 of each transfer, one after the other.
  SecretBlocks keys(std::span<const Point> points, Workers& workers) const;

 private:
  BaseOtName name_;
  net::Secret exponent_;
  net::Secret square_;  // a·A
  Point a_{};
};

class BaseOtReceiver {
 public:
  // Chooses for each transfer by a byte of 0 or 1. `a` comes from the sender.
  BaseOtReceiver(const BaseOtName& name, const Point& a, std::span<const std::byte> choices, Workers& workers);

  std::span<const Point> points() const { return points_; }  // B, for the sender
  const SecretBlocks& keys() const { return keys_; }         // the chosen ones

 private:
  std::vector<Point> points_;
  SecretBlocks keys_;
};

}  // namespace tacit::mpc
