#include "launcher/job/job_agreement.h"

#include <fmt/format.h>

#include "launcher/job/job_fields.h"

namespace tacit::launcher {

namespace {

// A setting with one number for each of a thousand ranks is agreed on by its hash.
constexpr std::size_t kMostValueBytes = 512;

std::string hash_text(std::string_view bytes) {
  std::string text = "BLAKE2b ";
  for (const std::byte byte : mpc::digest_of(std::as_bytes(std::span(bytes)))) {
    text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  }
  return text;
}

class Collector final : public JobVisitor {
 public:
  void field(std::string_view key, Field& field, Need, Whose whose) override {
    if (whose == Whose::kLocal) return;
    const std::string value = field.toml();
    agreement_.set(path_of(key), value.size() <= kMostValueBytes ? value : hash_text(value));
  }
  bool has(std::string_view, bool now) override { return now; }
  void enter(std::string_view key, std::string_view) override { tables_.push_back(path_of(key)); }
  void leave() override { tables_.pop_back(); }
  std::size_t items(std::string_view, std::size_t now, std::size_t) override { return now; }
  void enter_item(std::string_view key, std::size_t index) override {
    tables_.push_back(fmt::format("{}[{}]", path_of(key), index));
  }
  void exclude(std::string_view, std::string_view) override {}
  void stands_for(std::string_view, std::string_view) override {}

  const net::Agreement& agreement() const { return agreement_; }

 private:
  std::string path_of(std::string_view key) const {
    return tables_.empty() ? std::string(key) : fmt::format("{}.{}", tables_.back(), key);
  }

  net::Agreement agreement_;
  std::vector<std::string> tables_;
};

}  // namespace

net::Agreement agreement_of(const Job& job) {
  Collector collector;
  Job copy = job;
  visit(copy, collector);
  return collector.agreement();
}

mpc::Digest digest_of(const Job& job) {
  const net::Agreement agreement = agreement_of(job);
  std::string all;  // each piece after its length: no two jobs make the same text
  for (const auto& [name, value] : agreement.pairs()) {
    all += fmt::format("{}:{}{}:{}", name.size(), name, value.size(), value);
  }
  return mpc::digest_of(std::as_bytes(std::span(all)));
}

}  // namespace tacit::launcher
