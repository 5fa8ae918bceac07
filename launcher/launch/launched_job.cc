#include "launcher/launch/launched_job.h"

#include <fmt/format.h>

#include <random>

namespace tacit::launcher {

namespace {

DocumentValue document_of(const std::string& file, const std::vector<std::string>& overrides) {
  DocumentValue document = load_document(file);
  for (const std::string& text : overrides) apply(document, parse_override(text, kOverrideFlag));
  return document;
}

bool leaves_parties_open(const std::string& file, const std::vector<std::string>& overrides) {
  const DocumentValue document = document_of(file, overrides);
  return document.find("parties") == nullptr && document.find("roster") == nullptr;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

LaunchedJob load_launched(const std::string& file, std::vector<std::string> overrides, int parties) {
  if (parties > 0 && leaves_parties_open(file, overrides)) overrides.push_back(fmt::format("parties={}", parties));
  const Job written = read_job(document_of(file, overrides)).job;
  LaunchedJob launched{file,           overrides,      load_job(file, overrides),
                       new_id(),       written.files,  written.predict_files,
                       written.ledger, written.service};
  const Job& job = launched.job();
  if (parties > 0 && job.parties != parties) {
    launched.read.sources.wrong(
        "parties", fmt::format("the job has {} parties, and -n says {}; say -n {}, or change the job (and split the "
                               "data anew: `tacit data split`)",
                               job.parties, parties, job.parties));
  }
  return launched;
}

}  // namespace tacit::launcher
