#include "bench/tables/gradient_hosts.h"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

namespace tacit::launcher {

namespace {

constexpr int kUsualPort = 4711;
constexpr int kGraceThere = 2;  // seconds between SIGTERM and SIGKILL

// Quotes the word for a shell.
std::string quoted(const std::string& word) {
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

}  // namespace

GradientHosts::GradientHosts(const GradientOptions& options)
    : hosts_(load_hosts(options.hosts, options.ranks, "gradients")) {
  std::istringstream words(options.ssh);
  ssh_ = {std::istream_iterator<std::string>(words), {}};
  master_ = fmt::format("{}:{}", hosts_.front().name(), options.port > 0 ? options.port : kUsualPort);
}

Command GradientHosts::there(int rank, const std::string& script) const {
  const Host& host = hosts_[static_cast<std::size_t>(rank)];
  Command command{.arguments = ssh_};
  std::vector<std::string>& words = command.arguments;
  words.insert(words.end(), {"-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15", "-T"});
  if (host.port != 0) words.insert(words.end(), {"-p", std::to_string(host.port)});
  words.insert(words.end(), {host.destination, "exec sh -c " + quoted(script)});
  return command;
}

// GNU head reads no byte more than its file's from the one input of all files.
Command GradientHosts::copying(int rank, const std::vector<std::filesystem::path>& files) const {
  const std::string folder = quoted(hosts_[static_cast<std::size_t>(rank)].folder);
  std::string script = fmt::format("umask 077 && mkdir -p {0} && cd {0} && chmod 700 .", folder);
  std::vector<std::string> cat = {"cat", "--"};
  for (const std::filesystem::path& file : files) {
    script += fmt::format(" && rm -f {0} && head -c {1} >{0}", quoted(file.filename().string()),
                          std::filesystem::file_size(file));
    cat.push_back(file.string());
  }
  return {.arguments = {"sh", "-c", quoted(cat) + " | " + quoted(there(rank, script).arguments)}};
}

// The rank gets SIGTERM when its input, or its ssh, has ended.
Command GradientHosts::running(int rank, const std::vector<std::string>& words) const {
  const std::string folder = quoted(hosts_[static_cast<std::size_t>(rank)].folder);
  Command command = there(rank, fmt::format(R"(umask 077; cd {} || exit 2
exec 3<&0
env {} </dev/null 3<&- &
rank=$!
{{ cat <&3; kill -TERM $rank; sleep {}; kill -KILL $rank; }} >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $rank
code=$?
kill $watch
exit $code)",
                                            folder, quoted(words), kGraceThere));
  command.open_input = true;
  return command;
}

Command GradientHosts::fetching(int rank, const std::string& name) const {
  return there(rank, fmt::format("cat {}/{}", quoted(hosts_[static_cast<std::size_t>(rank)].folder), quoted(name)));
}

}  // namespace tacit::launcher
