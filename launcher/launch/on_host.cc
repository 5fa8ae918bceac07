#include "launcher/launch/on_host.h"

#include <fmt/format.h>

#include <string_view>

namespace tacit::launcher {

namespace {

// Shell function: takes `$2` bytes of the input as the file `$1`, all or nothing. GNU head reads no
// byte more. The new file has no name of a graph's file until it is whole.
constexpr std::string_view kTake =
    R"sh(take() { rm -f "$1.new" && head -c "$2" >"$1.new" && [ "$(wc -c <"$1.new")" -eq "$2" ] &&
mv -f "$1.new" "$1"; })sh";

}  // namespace

std::string as_word(const std::string& word) {
  std::string safe = "'";
  for (const char c : word) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return safe + "'";
}

std::string as_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + as_word(word);
  return text;
}

Command on_host(const std::vector<std::string>& ssh, const Host& host, const std::string& script) {
  Command command{.arguments = ssh};
  std::vector<std::string>& words = command.arguments;
  words.insert(words.end(), {"-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=15", "-T"});
  if (host.port != 0) words.insert(words.end(), {"-p", std::to_string(host.port)});
  words.insert(words.end(), {host.destination, "exec sh -c " + as_word(script)});
  return command;
}

// The files follow each other in the input of one call.
Command sending(const std::vector<std::string>& ssh, const Host& host, const std::string& ready,
                const SentFiles& files) {
  std::string script = fmt::format("{} && {}", ready, kTake);
  std::vector<std::string> cat = {"cat", "--"};
  for (const auto& [from, name] : files) {
    script += fmt::format(" && take {} {}", as_word(name), std::filesystem::file_size(from));
    cat.push_back(from.string());
  }
  return {.arguments = {"sh", "-c", as_words(cat) + " | " + as_words(on_host(ssh, host, script).arguments)}};
}

Command running(const std::vector<std::string>& ssh, const Host& host, const std::vector<std::string>& words,
                std::chrono::seconds grace) {
  Command command = on_host(ssh, host,
                            fmt::format(R"(umask 077; cd {} || exit 2
exec 3<&0
{} </dev/null 3<&- &
rank=$!
{{ cat <&3; kill -TERM $rank; sleep {}; kill -KILL $rank; }} >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $rank
code=$?
kill $watch
exit $code)",
                                        as_word(host.folder), as_words(words), grace.count()));
  command.open_input = true;
  return command;
}

}  // namespace tacit::launcher
