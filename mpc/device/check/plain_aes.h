// PlainAes — a stream of AES-128 in counter mode by the definition (FIPS 197), byte by byte. gpu_check compares a device's
// streams with it, because a machine with a GPU may lack OpenSSL. A test compares it with OpenSSL.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace tacit::mpc::device {

class PlainAes {
 public:
  explicit PlainAes(const unsigned char* key) {  // 16 bytes
    for (int x = 0; x < 256; ++x) {
      unsigned char inverse = 0;
      for (int y = 1; y < 256; ++y) {
        if (times(static_cast<unsigned char>(x), static_cast<unsigned char>(y)) == 1) {
          inverse = static_cast<unsigned char>(y);
        }
      }
      unsigned char s = 0x63;
      for (int n = 0; n < 5; ++n) s = static_cast<unsigned char>(s ^ (inverse << n | inverse >> (8 - n)));
      box_[x] = s;
    }
    std::memcpy(keys_, key, 16);
    unsigned char constant = 1;
    for (int i = 16; i < 176; i += 4) {
      unsigned char t[4];
      std::memcpy(t, keys_ + i - 4, 4);
      if (i % 16 == 0) {
        const unsigned char first = t[0];
        t[0] = static_cast<unsigned char>(box_[t[1]] ^ constant);
        t[1] = box_[t[2]];
        t[2] = box_[t[3]];
        t[3] = box_[first];
        constant = times(constant, 2);
      }
      for (int j = 0; j < 4; ++j) keys_[i + j] = static_cast<unsigned char>(keys_[i - 16 + j] ^ t[j]);
    }
  }

  // `count` words of the stream that begins with this counter (16 bytes, big-endian).
  std::vector<std::uint64_t> stream(const unsigned char* counter, std::int64_t count) const {
    std::vector<std::uint64_t> words(static_cast<std::size_t>(count + 1));
    unsigned char at[16];
    std::memcpy(at, counter, 16);
    for (std::int64_t i = 0; i < count; i += 2) {
      unsigned char block[16];
      std::memcpy(block, at, 16);
      encrypt(block);
      std::memcpy(&words[static_cast<std::size_t>(i)], block, 16);
      for (int b = 15; b >= 0 && ++at[b] == 0;) --b;
    }
    words.resize(static_cast<std::size_t>(count));
    return words;
  }

 private:
  static unsigned char times(unsigned char a, unsigned char b) {
    unsigned char product = 0;
    for (; b != 0; b >>= 1) {
      if ((b & 1) != 0) product = static_cast<unsigned char>(product ^ a);
      a = static_cast<unsigned char>(a << 1 ^ ((a & 0x80) != 0 ? 0x1B : 0));
    }
    return product;
  }

  void add_key(unsigned char* s, int round) const {
    for (int i = 0; i < 16; ++i) s[i] = static_cast<unsigned char>(s[i] ^ keys_[16 * round + i]);
  }

  void encrypt(unsigned char* s) const {
    add_key(s, 0);
    for (int round = 1; round <= 10; ++round) {
      unsigned char t[16];
      for (int c = 0; c < 4; ++c) {
        for (int r = 0; r < 4; ++r) t[4 * c + r] = box_[s[4 * ((c + r) % 4) + r]];
      }
      for (int c = 0; c < 4; ++c) {
        const unsigned char* x = t + 4 * c;
        for (int r = 0; r < 4; ++r) {
          const int mixed = times(x[r], 2) ^ times(x[(r + 1) % 4], 3) ^ x[(r + 2) % 4] ^ x[(r + 3) % 4];
          s[4 * c + r] = static_cast<unsigned char>(round == 10 ? x[r] : mixed);
        }
      }
      add_key(s, round);
    }
  }

  unsigned char box_[256], keys_[176];
};

}  // namespace tacit::mpc::device
