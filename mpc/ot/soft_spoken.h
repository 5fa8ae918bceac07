// SoftSpoken — correlated oblivious transfers with chosen choices, from punctured trees (Roy, SoftSpokenOT, CRYPTO 2022, the
// passive version, K = 4).
//
// The receiver has bits b and gets t; the sender has Delta and gets q, where t = q ^ b·Delta.
//
// For 128 transfers, each leaf is expanded to 128 bits: pi(x ^ n) ^ x ^ n for the n-th 128 transfers (pi is AES under a fixed key).
// For each bit of a leaf's number, a tree gives one bit of t: the sum of the leaves whose number has the bit. u_i is the sum of all
// leaves of tree i.
//
//   receiver -> sender: u_i ^ b for each tree: 32 bits a transfer, for a multiple of 128 transfers
//
// The sender makes the same sums of leaves y ^ hole, without the leaf that it lacks: t ^ (its bit of Delta)·u_i. It adds (its bit of
// Delta)·(u_i ^ b). The counter n only grows, and both sides count alike.
//
// Secure      against passive parties, if the expansion is a pseudorandom generator: the sender lacks a leaf of every u_i
// Time        depends on the counts alone
// Thread      one, which may use the workers
#pragma once

#include <cstdint>
#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/ot/punctured_trees.h"

namespace tacit::mpc {

inline constexpr std::int64_t kCorrectionBytes = kTrees * std::int64_t{sizeof(Block)};  // for 128 transfers

class SoftSpokenReceiver {
 public:
  explicit SoftSpokenReceiver(SecretBlocks whole_leaves) : leaves_(std::move(whole_leaves)) {}

  std::uint64_t used() const { return used_ * kBlockBits; }  // the number of the next transfer
  // 128 transfers for each block of choices: bit i of a block is the choice of its i-th transfer.
  void take(std::span<const Block> choices, std::span<Block> t, std::span<std::byte> corrections, Workers& workers);

 private:
  SecretBlocks leaves_;
  std::uint64_t used_ = 0;
};

class SoftSpokenSender {
 public:
  SoftSpokenSender(const Block& delta, SecretBlocks punctured_leaves);

  const Block& delta() const { return delta_[0]; }
  std::uint64_t used() const { return used_ * kBlockBits; }
  void take(std::span<const std::byte> corrections, std::span<Block> q, Workers& workers);

 private:
  SecretBlocks delta_;
  SecretBlocks leaves_;
  std::uint64_t used_ = 0;
};

}  // namespace tacit::mpc
