#include "tests/mpc/wire_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include "mpc/sealed/storage_key.h"
#include "net/memory/key_export.h"
#include "net/wrapped_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {

namespace {

constexpr unsigned char kConstant = 0x5a;

randombytes_implementation constant_bytes() {
  randombytes_implementation constant{};
  constant.implementation_name = [] { return "constant"; };
  constant.random = [] { return std::uint32_t{kConstant} * 0x01010101; };
  constant.buf = [](void* bytes, std::size_t size) {
    std::fill_n(static_cast<unsigned char*>(bytes), size, kConstant);
  };
  return constant;
}

// While a FixedGenerator lives, libsodium's generator, which is the process', returns a constant.
class FixedGenerator {
 public:
  FixedGenerator() { EXPECT_EQ(randombytes_set_implementation(&constant_), 0); }
  ~FixedGenerator() { randombytes_set_implementation(&randombytes_sysrandom_implementation); }
  FixedGenerator(const FixedGenerator&) = delete;
  FixedGenerator& operator=(const FixedGenerator&) = delete;

  // Several sets of meshes may live at once.
  static std::shared_ptr<FixedGenerator> shared() {
    static std::mutex mutex;
    static std::weak_ptr<FixedGenerator> current;
    const std::lock_guard lock(mutex);
    std::shared_ptr<FixedGenerator> own = current.lock();
    if (!own) current = own = std::make_shared<FixedGenerator>();
    return own;
  }

 private:
  randombytes_implementation constant_ = constant_bytes();
};

// Both ends of a link export the same keys; other links export others.
class FixedKeys final : public net::WrappedChannel {
 public:
  FixedKeys(Channel& inner, int rank, std::shared_ptr<FixedGenerator> generator)
      : WrappedChannel(inner), rank_(rank), generator_(std::move(generator)) {}

  net::Secret export_key(std::string_view label, std::int64_t size) const override {
    net::Secret secret(32);
    secret.bytes()[0] = static_cast<std::byte>(std::min(rank_, peer()));
    secret.bytes()[1] = static_cast<std::byte>(std::max(rank_, peer()));
    std::fill(secret.bytes().begin() + 2, secret.bytes().end(), std::byte{kConstant});
    return net::derive_key(secret, label, size);
  }

 private:
  int rank_;
  const std::shared_ptr<FixedGenerator> generator_;
};

struct Line {
  std::string step;
  std::int64_t messages = 0;
  std::vector<std::byte> bytes;
};

}  // namespace

net::Meshes with_fixed_randomness(net::Meshes meshes) {
  const std::shared_ptr<FixedGenerator> generator = FixedGenerator::shared();
  for (auto& mesh : meshes) {
    mesh = net::wrapped(std::move(mesh), [&](net::Channel& inner, net::Mesh& own) {
      return std::make_unique<FixedKeys>(inner, own.rank(), generator);
    });
  }
  return meshes;
}

std::string wire_trace(const net::Record& record) {
  std::map<std::pair<int, int>, std::vector<Line>> links;
  for (const net::SentMessage& message : record.messages()) {
    std::vector<Line>& lines = links[{message.from, message.to}];
    if (lines.empty() || lines.back().step != message.step) lines.push_back({message.step, 0, {}});
    ++lines.back().messages;
    lines.back().bytes.insert(lines.back().bytes.end(), message.bytes.begin(), message.bytes.end());
  }
  std::string text;
  for (const auto& [link, lines] : links) {
    for (const Line& line : lines) {
      const Digest digest = digest_of(line.bytes);
      text += fmt::format("{} to {}, {}: {} B in {}, ", link.first, link.second, line.step, line.bytes.size(),
                          line.messages);
      for (std::size_t i = 0; i < 8; ++i) text += fmt::format("{:02x}", static_cast<unsigned>(digest[i]));
      text += '\n';
    }
  }
  return text;
}

void expect_wire_trace(const std::filesystem::path& expected, const std::string& found) {
  std::stringstream text;
  text << std::ifstream(expected).rdbuf();
  if (text.str() == found) return;
  std::ofstream(expected.filename()) << found;
  std::istringstream before(text.str()), now(found);
  std::string line_before, line_now;
  while (line_before == line_now && std::getline(now, line_now)) std::getline(before, line_before);
  ADD_FAILURE() << "the bytes on the wire changed, first in \"" << line_now << "\", expected \"" << line_before
                << "\". If the change is meant, increase mpc::kProtocolNumber, and replace " << expected << " by "
                << std::filesystem::absolute(expected.filename());
}

}  // namespace tacit::mpc
