#include "net/rendezvous/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "net/error.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kShownBytes = 80;
constexpr std::size_t kContextBytes = 24;

std::int64_t bytes_of(const std::string& name, const std::string& value) {
  return std::ssize(name) + std::ssize(value);
}

// Cuts a long value to the part where the two values begin to differ.
std::string excerpt(const std::string& value, std::size_t differs_at) {
  if (std::ssize(value) <= kShownBytes || differs_at <= kContextBytes) return printable(value, kShownBytes);
  return "..." + printable(std::string_view(value).substr(differs_at - kContextBytes), kShownBytes);
}

// The values of words are JSON, which has quotes of its own.
std::string describe(const std::string* value, int rank, std::size_t differs_at) {
  if (value == nullptr) return fmt::format("rank {} has none", rank);
  const bool quoted = value->size() >= 2 && value->front() == '"' && value->back() == '"';
  const std::string inside = quoted ? value->substr(1, value->size() - 2) : *value;
  return fmt::format("rank {} has \"{}\"", rank, excerpt(inside, differs_at - (quoted && differs_at > 0 ? 1 : 0)));
}

const std::string* find(const Agreement& agreement, const std::string& name) {
  const auto found = agreement.pairs().find(name);
  return found == agreement.pairs().end() ? nullptr : &found->second;
}

}  // namespace

void Agreement::set(const std::string& name, const std::string& value) {
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(
        fmt::format("cannot agree on \"{}\": {}; agree on a hash of it instead", printable(name, 60), why));
  };
  if (name.empty() || std::ssize(name) > kMaxNameBytes) {
    refuse(fmt::format("its name has {} bytes, expected 1 ... {}", name.size(), kMaxNameBytes));
  }
  if (std::ssize(value) > kMaxValueBytes) {
    refuse(fmt::format("its value has {} bytes, expected at most {}", value.size(), kMaxValueBytes));
  }
  const std::string* old = find(*this, name);
  if (old == nullptr && std::ssize(pairs_) == kMaxPairs) refuse(fmt::format("there are {} names already", kMaxPairs));
  const std::int64_t bytes = bytes_ + bytes_of(name, value) - (old == nullptr ? 0 : bytes_of(name, *old));
  if (bytes > kMaxBytes) refuse(fmt::format("all values together would have {} bytes, at most {}", bytes, kMaxBytes));
  pairs_[name] = value;
  bytes_ = bytes;
}

std::optional<std::string> difference(const Agreement& a, int rank_a, const Agreement& b, int rank_b) {
  std::set<std::string> names;
  for (const auto& pair : a.pairs()) names.insert(pair.first);
  for (const auto& pair : b.pairs()) names.insert(pair.first);
  std::erase_if(names, [&](const std::string& name) {
    const std::string *in_a = find(a, name), *in_b = find(b, name);
    return in_a != nullptr && in_b != nullptr && *in_a == *in_b;
  });
  if (names.empty()) return std::nullopt;
  const auto in_both = [&](const std::string& name) { return find(a, name) != nullptr && find(b, name) != nullptr; };
  auto named = std::find_if(names.begin(), names.end(), in_both);
  if (named == names.end()) named = names.begin();
  const std::string *in_a = find(a, *named), *in_b = find(b, *named);
  std::size_t differs_at = 0;
  if (in_both(*named)) {
    const auto [at, unused] = std::mismatch(in_a->begin(), in_a->end(), in_b->begin(), in_b->end());
    differs_at = static_cast<std::size_t>(at - in_a->begin());
  }
  std::string sentence =
      fmt::format("the ranks do not agree on \"{}\": {}, {}", printable(*named, Agreement::kMaxNameBytes),
                  describe(in_a, rank_a, differs_at), describe(in_b, rank_b, differs_at));
  if (names.size() > 1) sentence += fmt::format(" (and on {} more)", names.size() - 1);
  return sentence;
}

}  // namespace tacit::net
