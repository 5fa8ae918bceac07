// Commands on another machine over ssh: one for a script, one that takes files, one that runs a program for as long as
// ssh lives.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "launcher/launch/hosts.h"
#include "launcher/processes/child.h"

namespace tacit::launcher {

// Quotes for a shell.
std::string as_word(const std::string& word);
std::string as_words(const std::vector<std::string>& words);

// `ssh`: the client and its options.
Command on_host(const std::vector<std::string>& ssh, const Host& host, const std::string& script);

// Writes files into a folder, each under a name, whole or not at all. `ready`: shell commands that come first, joined by
// &&, in which the folder is made or entered.
using SentFiles = std::vector<std::pair<std::filesystem::path, std::string>>;
Command sending(const std::vector<std::string>& ssh, const Host& host, const std::string& ready,
                const SentFiles& files);

// Runs a program in the folder. The program gets SIGTERM when its input or its ssh has ended, and SIGKILL after the
// grace.
Command running(const std::vector<std::string>& ssh, const Host& host, const std::vector<std::string>& words,
                std::chrono::seconds grace);

}  // namespace tacit::launcher
