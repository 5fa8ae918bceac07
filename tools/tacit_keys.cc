// tacit-keys — makes and shows the keys that ranks prove themselves with, and puts a roster together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "net/error.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"

namespace {

using namespace tacit::net;

struct Request {
  std::string file;
  std::vector<std::string> parties;
  std::vector<std::string> dealers;
};

// The first line for programs, the second to be read over the phone.
void print(const Fingerprint& fingerprint) { fmt::print("{}\n{}\n", fingerprint.text(), fingerprint.grouped()); }

void make_key(const std::string& file) {
  const Identity identity = Identity::generate();
  identity.save(file);
  fmt::print(stderr, "{} is a new private key: it never leaves this machine; the others need its fingerprint:\n", file);
  print(identity.fingerprint());
}

void print_roster(const Request& request) {
  std::vector<RosterEntry> entries;
  for (const std::string& text : request.parties) entries.push_back(parse_roster_entry(Role::kParty, text));
  for (const std::string& text : request.dealers) entries.push_back(parse_roster_entry(Role::kDealer, text));
  fmt::print("{}", Roster(std::move(entries)).text());
}

int run(int argc, char** argv) {
  CLI::App app("Keys and rosters for Tacit. A key is a party's for years; a roster is the same file at every rank.");
  app.require_subcommand(1);
  Request request;
  CLI::App* make = app.add_subcommand("new", "make a private key, readable by you only, and print its fingerprint");
  make->add_option("FILE", request.file, "where to write it; never overwritten")->required();
  CLI::App* show = app.add_subcommand("show", "print the fingerprint of a private key");
  show->add_option("FILE", request.file, "the private key")->required();
  CLI::App* roster = app.add_subcommand("roster", "print a roster: ranks in the order of the options, parties first");
  roster->add_option("--party", request.parties, "FINGERPRINT or FINGERPRINT@HOST:PORT; once per party")->required();
  roster->add_option("--dealer", request.dealers, "the same for a dealer");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked_for_help = app.exit(error) == 0;
    return asked_for_help ? 0 : static_cast<int>(tacit::Exit::kConfig);
  }
  if (make->parsed()) make_key(request.file);
  if (show->parsed()) print(Identity::load(request.file).fingerprint());
  if (roster->parsed()) print_roster(request);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "tacit-keys");
  }
}
