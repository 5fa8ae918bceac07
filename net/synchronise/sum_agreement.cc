#include "net/synchronise/sum_agreement.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>
#include <optional>

#include "net/byte_fields.h"
#include "net/collectives/collectives.h"
#include "net/error.h"

namespace tacit::net {

namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t digest(ConstBytes bytes) {
  std::array<unsigned char, 32> hash;
  unsigned int size = 0;
  TACIT_CHECK(EVP_Digest(bytes.data(), bytes.size(), hash.data(), &size, EVP_sha256(), nullptr) == 1);
  std::int64_t first;
  std::memcpy(&first, hash.data(), sizeof first);
  return first;
}

// Entry r is the list of rank r. The lists have one length.
std::vector<Numbers> numbers_of_all(Group& group, const Numbers& own) {
  ByteWriter writer;
  for (const std::int64_t number : own) writer.number(static_cast<std::uint64_t>(number));
  std::vector<std::vector<std::byte>> messages(static_cast<std::size_t>(group.parties()), writer.take());
  all_gather(group, std::vector<Bytes>(messages.begin(), messages.end()));
  std::vector<Numbers> all;
  for (const auto& message : messages) {
    ByteReader reader(message, "a list of settings");
    Numbers& numbers = all.emplace_back();
    for (std::size_t i = 0; i < own.size(); ++i) {
      numbers.push_back(static_cast<std::int64_t>(reader.number<std::uint64_t>()));
    }
  }
  return all;
}

struct Difference {
  std::size_t rank = 0;
  std::size_t place = 0;
};

// The first place in which any rank differs from rank 0.
std::optional<Difference> first_difference(const std::vector<Numbers>& all) {
  for (std::size_t place = 0; place < all.front().size(); ++place) {
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      if (all[rank][place] != all.front()[place]) return Difference{rank, place};
    }
  }
  return std::nullopt;
}

[[noreturn]] void refuse(const std::string& difference) {
  throw ConfigError("the parties synchronise different gradients: " + difference +
                    ". Give every rank the same model, the parameters in the same order, and the same settings");
}

}  // namespace

void compare_settings(Group& group, std::span<const ComparedNumber> numbers, std::span<const std::int64_t> sizes,
                      std::span<const std::string> names) {
  if (group.parties() == 1) return;
  Numbers own, parameters;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    parameters.push_back(sizes[i]);
    parameters.push_back(names.empty() ? 0 : digest(std::as_bytes(std::span(names[i]))));
  }
  for (const ComparedNumber& number : numbers) own.push_back(number.value);
  own.push_back(std::ssize(sizes));
  own.push_back(digest(std::as_bytes(std::span(parameters))));

  const std::vector<Numbers> all = numbers_of_all(group, own);
  const std::optional<Difference> different = first_difference(all);
  if (!different) return;
  const auto [rank, place] = *different;
  if (place + 1 < own.size()) {
    const ComparedNumber number =
        place < numbers.size() ? numbers[place] : ComparedNumber{"the number of parameters", 0, nullptr};
    const auto shown = [&](std::int64_t value) { return number.shown ? number.shown(value) : std::to_string(value); };
    refuse(fmt::format("{} is {} at rank 0 and {} at rank {}", number.what, shown(all[0][place]),
                       shown(all[rank][place]), rank));
  }
  // All parties have as many parameters, so their lists have one length.
  const std::vector<Numbers> lists = numbers_of_all(group, parameters);
  const std::optional<Difference> parameter = first_difference(lists);
  if (!parameter) throw ProtocolError("a party sent a digest of its parameters that does not belong to them");
  const std::size_t number = parameter->place / 2;
  if (parameter->place % 2 == 1) {
    refuse(fmt::format("parameter {} has one name at rank 0 and another at rank {}", number, parameter->rank));
  }
  refuse(fmt::format("parameter {} has {} gradients at rank 0 and {} at rank {}", number, lists[0][parameter->place],
                     lists[parameter->rank][parameter->place], parameter->rank));
}

}  // namespace tacit::net
