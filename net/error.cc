#include "net/error.h"

#include <cstdio>
#include <filesystem>
#include <new>

#include "net/printable.h"

namespace tacit {

namespace {

constexpr std::int64_t kMostText = 500;

}  // namespace

void ConfigError::is_about(std::string_view thing) {
  if (has_thing_) return;
  has_thing_ = true;
  told_ = std::string(thing) + " " + (told_.empty() ? "cannot be used" : told_);
}

void rethrow_about_own(std::string_view thing) {
  try {
    throw;
  } catch (ConfigError& error) {
    error.is_about(thing);
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    ConfigError ours(net::printable(error.what(), kMostText), "", "cannot be used: " + error.code().message());
    ours.is_about(thing);
    throw ours;
  }
}

std::string reason_for_others(const std::exception& error, std::string_view more) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "its machine has too little memory";
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours == nullptr) return "it found a bug in Tacit" + std::string(more);
  return ours->told().empty() ? ours->what() : ours->told() + std::string(more);
}

Exit exit_of(const std::exception& error) {
  if (const auto* ours = dynamic_cast<const Error*>(&error)) return ours->exit();
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? Exit::kConfig : Exit::kBug;
}

void report_broken_invariant(const char* condition, const char* file, int line) {
  throw BrokenInvariant(std::string("this is a bug in Tacit: ") + condition + " does not hold at " + file + ":" +
                        std::to_string(line) + "; please report it with the command that you ran");
}

int report_and_exit_code(const std::exception& error, const char* program) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours != nullptr && !ours->local_detail().empty()) {
    std::fprintf(stderr, "%s: %s\n", program, ours->local_detail().c_str());
  }
  return static_cast<int>(exit_of(error));
}

}  // namespace tacit
