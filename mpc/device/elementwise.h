// Elementwise steps of the protocols as bodies: a body computes element i, on the device and on the host alike.
#pragma once

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// A party's side of drop (truncation): out = ((a + offset) & wide) >> bits.
struct DropBits {
  const Word* a;
  Word* out;
  int bits;
  Word offset, wide;
  __host__ __device__ void operator()(std::int64_t i) const { out[i] = ((a[i] + offset) & wide) >> bits; }
};

// A party's side of a product of masked values, with D for Delta: [x·y] = (first ? Dx·Dy : 0) - Dx·ly - lx·Dy + gamma.
struct PartyProduct {
  const Word *dx, *lx, *dy, *ly, *gamma;
  Word* out;
  Word first, mask;  // first: all ones at the party that adds the public part, zero at the others
  __host__ __device__ void operator()(std::int64_t i) const {
    out[i] = (dx[i] * ((dy[i] & first) - ly[i]) - lx[i] * dy[i] + gamma[i]) & mask;
  }
};

// A party's side of select (multiplexer), with a lift (ring extension) from k bits where `over` is not null.
struct Select {
  const Word *m, *r, *mu, *mu_r, *over, *sigma, *mu_over, *mu_sigma, *delta;  // over … mu_sigma: null where k = K
  Word* out;
  int k;
  Word first, ring;
  __host__ __device__ Word wrap(const Word* o, const Word* s, std::int64_t i) const {
    if (o == nullptr) return 0;
    const Word keep = (m[i] >> (k - 1)) - 1;
    return (o[i] + (s[i] & keep)) << k;
  }
  __host__ __device__ void operator()(std::int64_t i) const {
    const Word c = m[i] - (Word{1} << (k - 2));
    const Word x = (c & first) - r[i] + wrap(over, sigma, i);
    const Word mu_x = c * mu[i] - mu_r[i] + wrap(mu_over, mu_sigma, i);
    const Word set = 0 - (delta[i / 64] >> (i % 64) & 1);
    out[i] = (((x - mu_x) & set) | (mu_x & ~set)) & ring;
  }
};

// Runs the body for elements 0 … count-1, on the stream. Returns 0, or the error of CUDA.
template <typename Body>
int for_each(const Body& body, std::int64_t count, int processors, Stream stream);

}  // namespace tacit::mpc::device
