#include "launcher/job/job_agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gnn/settings/setting_list.h"

namespace tacit::launcher {

using gnn::Scope;
using gnn::settings_of;

net::Agreement agreement_of(const Job& job) {
  constexpr std::size_t kMostValueBytes = 512;  // a longer value (a list by rank) is compared by its hash
  net::Agreement agreement;
  for (const auto& [name, value] : settings_of(job, Scope::kSession)) {
    const bool fits = value.size() <= kMostValueBytes;
    agreement.set(name, fits ? value : "BLAKE2b " + hex(mpc::digest_of(std::as_bytes(std::span(value)))));
  }
  return agreement;
}

mpc::Digest job_digest(const Job& job) { return gnn::digest_of(settings_of(job, Scope::kSession)); }

mpc::Digest training_digest(const Job& job) { return gnn::digest_of(settings_of(job, Scope::kRun)); }

std::string first_difference(const Job& before, const Job& now) {
  const auto difference = gnn::first_difference(gnn::to_text(settings_of(before, Scope::kRun)),
                                                gnn::to_text(settings_of(now, Scope::kRun)));
  return difference ? difference->as_change() : "";
}

std::string hex(const mpc::Digest& digest) { return fmt::format("{:02x}", fmt::join(digest, "")); }

}  // namespace tacit::launcher
