#include "tests/mpc/security/uniformity.h"

#include <fmt/format.h>

#include <set>

#include "mpc/correlations/dealt_message.h"
#include "tests/mpc/security/chi_square.h"

namespace tacit::mpc {

namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::size_t kDecisionBytes = 1;

void note(const Words& words, int bits, const std::string& name, Names& uneven) {
  if (unevenness_of_words(words, bits) >= kTooUneven) uneven.push_back(name);
}

std::size_t phases(net::AllReduce openings) {
  TACIT_CHECK(openings == net::AllReduce::kDirect || openings == net::AllReduce::kTwoPhase);
  return openings == net::AllReduce::kDirect ? 1 : 2;
}

// One party's messages to another in a step, by phase: openings go through all phases, one after
// the other. The transcript tags beside a reveal are left out.
std::vector<std::vector<std::byte>> by_phase(const net::Record& record, int from, int to, const std::string& step,
                                             int parties, std::size_t phases) {
  std::vector<std::vector<std::byte>> all(phases);
  std::size_t count = 0;
  for (const net::SentMessage& message : record.messages()) {
    if (message.from != from || message.to != to || message.step != step) continue;
    if (is_tag(message, parties)) continue;
    std::vector<std::byte>& bytes = all[count++ % phases];
    bytes.insert(bytes.end(), message.bytes.begin(), message.bytes.end());
  }
  TACIT_CHECK(count % phases == 0);
  return all;
}

// Bits by the byte.
SeenWords in_bytes(const SeenWords& seen) {
  if (seen.bits > 1) return seen;
  SeenWords packed{Words(seen.words.size() / 8), 8, seen.step};
  for (std::size_t i = 0; i < packed.words.size() * 8; ++i) packed.words[i / 8] |= seen.words[i] << (i % 8);
  return packed;
}

}  // namespace

Names uneven_openings(const net::Record& record, int parties) {
  Names uneven;
  for (const Opening& opening : kOpenings) {
    note(opened(record, opening.step, parties, opening.bits, opening.sum), opening.bits, opening.step, uneven);
  }
  return uneven;
}

Names uneven_messages(const net::Record& record, int parties, net::AllReduce openings) {
  Names uneven;
  for (const Opening& opening : kOpenings) {
    for (int from = 0; from < parties; ++from) {
      for (int to = 0; to < parties; ++to) {
        if (to == from) continue;
        const auto sent = by_phase(record, from, to, opening.step, parties, phases(openings));
        for (std::size_t phase = 0; phase < sent.size(); ++phase) {
          note(unpacked(sent[phase], opening.bits), opening.bits,
               fmt::format("{}, from {} to {}, phase {}", opening.step, from, to, phase), uneven);
        }
      }
    }
  }
  return uneven;
}

Names uneven_revealings(const net::Record& record, int parties, net::AllReduce openings) {
  Names uneven;
  for (const Revealing& revealing : kRevealings) {
    for (int from = 0; from < parties; ++from) {
      for (int to = 0; to < parties; ++to) {
        if (to == from || (!revealing.to_all && (to != parties - 1))) continue;
        const bool as_opening = revealing.to_all && !revealing.directly;
        const auto sent = by_phase(record, from, to, revealing.step, parties, as_opening ? phases(openings) : 1);
        note(unpacked(sent.front(), kSecretFormat.ring_bits), kSecretFormat.ring_bits,
             fmt::format("{}, from {} to {}", revealing.step, from, to), uneven);
      }
    }
  }
  return uneven;
}

Names uneven_dealings(const net::Record& record, int parties) {
  Names uneven;
  for (const char* step : kDealings) {
    Words bytes;
    for (const net::SentMessage& message : record.messages()) {
      if (message.from != parties || message.step != step) continue;
      for (auto at = static_cast<std::size_t>(kDealtTagBytes); at < message.bytes.size(); ++at) {
        bytes.push_back(std::to_integer<std::uint64_t>(message.bytes[at]));
      }
    }
    note(bytes, 8, step, uneven);
  }
  return uneven;
}

Names uneven_draws(const Views& views) {
  Names uneven;
  for (std::size_t party = 0; party < views.by_party.size(); ++party) {
    for (const SeenWords& drawn : views.by_party[party].drawn) {
      const SeenWords seen = in_bytes(drawn);
      note(seen.words, seen.bits, fmt::format("{}, drawn at {}", drawn.step, party), uneven);
    }
  }
  return uneven;
}

Names equal_openings(const net::Record& first, const net::Record& second, int parties) {
  Names equal;
  for (const Opening& opening : kOpenings) {
    const Words here = opened(first, opening.step, parties, opening.bits, opening.sum);
    if (here == opened(second, opening.step, parties, opening.bits, opening.sum)) equal.emplace_back(opening.step);
  }
  return equal;
}

Names messages_in_common(const net::Record& first, const net::Record& second) {
  std::set<std::vector<std::byte>> seen;
  for (const net::SentMessage& message : first.messages()) seen.insert(message.bytes);
  Names common;
  for (const net::SentMessage& message : second.messages()) {
    if (message.bytes.size() > kDecisionBytes && seen.contains(message.bytes)) {
      common.push_back(fmt::format("{}, from {} to {}", message.step, message.from, message.to));
    }
  }
  return common;
}

}  // namespace tacit::mpc
