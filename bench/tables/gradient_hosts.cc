#include "bench/tables/gradient_hosts.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <sstream>

#include "launcher/launch/on_host.h"

namespace tacit::launcher {

namespace {

constexpr int kUsualPort = 4711;
constexpr std::chrono::seconds kGraceThere{2};  // between SIGTERM and SIGKILL

}  // namespace

GradientHosts::GradientHosts(const GradientOptions& options)
    : hosts_(load_hosts(options.hosts, options.ranks, "gradients")) {
  std::istringstream words(options.ssh);
  ssh_ = {std::istream_iterator<std::string>(words), {}};
  master_ = fmt::format("{}:{}", hosts_.front().name(), options.port > 0 ? options.port : kUsualPort);
}

Command GradientHosts::copying(int rank, const std::vector<std::filesystem::path>& files) const {
  SentFiles sent;
  for (const std::filesystem::path& file : files) sent.emplace_back(file, file.filename().string());
  const std::string ready =
      fmt::format("umask 077 && mkdir -p {0} && cd {0} && chmod 700 . && rm -f rank*.json", as_word(host(rank).folder));
  return sending(ssh_, host(rank), ready, sent);
}

Command GradientHosts::running(int rank, std::vector<std::string> words) const {
  words.insert(words.begin(), "env");
  return launcher::running(ssh_, host(rank), words, kGraceThere);
}

Command GradientHosts::fetching(int rank, const std::string& name) const {
  return on_host(ssh_, host(rank),
                 fmt::format("cd {} && if [ -e {name} ]; then cat {name}; fi", as_word(host(rank).folder),
                             fmt::arg("name", as_word(name))));
}

}  // namespace tacit::launcher
