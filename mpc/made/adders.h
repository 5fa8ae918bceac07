// The bits of the sum of all parties' words, by two methods: one with few rounds, one with few bytes.
//
//   ripples    n-1 ripple adders, each takes in one party's word. `length` rounds (for n >= 3 with SoftSpoken, two for each
//              position). n = 2: 2 bits and two bound bits a position. The transfers of a few positions are held at once
//   prefixes   carry-save steps until two words are left, then Sklansky's network of prefixes. 2 rounds (with Ferret, 1) for each of about
//              log(n/2) / log(3/2) + 1 + log2(length) steps. n = 2: about 2·log2(length) bits and four bound bits a position
//
// Papers      Sklansky, Conditional-Sum Addition Logic, 1960 (the network); Wallace 1964 (carry-save steps). A carry is
//             maj(a, b, c) = (a ^ c)(b ^ c) ^ c: one product
#pragma once

#include <span>
#include <vector>

#include "mpc/made/engine.h"

namespace tacit::mpc {

std::vector<Engine::Sum> add_by_ripples(Engine& engine, std::span<const Engine::Addition> additions);
std::vector<Engine::Sum> add_by_prefixes(Engine& engine, std::span<const Engine::Addition> additions);

// Additions of more elements together take few bytes rather than few rounds. For a lift from 25 bits, prefixes save 14 rounds, and a
// party sends 180 bytes an element more: equal at 2,000 elements on a link of 1 Gbit/s with a round trip of 0.2 ms, and at 10,000 with
// one of 1 ms.
inline constexpr std::int64_t kMostElementsByPrefixes = std::int64_t{1} << 12;

}  // namespace tacit::mpc
