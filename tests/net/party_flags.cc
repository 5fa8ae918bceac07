#include "tests/net/party_flags.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <vector>

#include "net/error.h"
#include "net/rendezvous/environment.h"

namespace tacit::net {
namespace {

// The flags that CLI11 fills, in CLI11's types.
struct Texts {
  std::vector<std::string> agree;
  std::string listen;
  std::map<std::string, std::int64_t> milliseconds;
};

void add_flags(CLI::App& app, PartyFlags& flags, Texts& texts) {
  RendezvousOptions& rendezvous = flags.rendezvous;
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("--key", flags.key, "file with this rank's private key")->required();
  app.add_option("--roster", flags.roster, "file with everybody's fingerprints")->required();
  app.add_option("--listen", texts.listen, "HOST:PORT that this rank listens at");
  app.add_option("--announce", rendezvous.announce, "host under which the others reach this rank");
  app.add_flag("--plaintext", rendezvous.plaintext, "no TLS");
  app.add_option("--agree", texts.agree, "NAME=VALUE that all ranks must have alike")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  for (const char* name :
       {"--deadline", "--handshake", "--patience", "--heartbeat", "--silence", "--compute", "--settle"}) {
    app.add_option(name, texts.milliseconds[name], "milliseconds");
  }
  app.add_option("--bytes", flags.bytes, "bytes of each message");
  app.add_option("--steps", flags.steps, "exchanges; 0: until something fails");
  app.add_option("--misdeed", flags.misdeed, "the misbehaviour of this rank");
}

void take_times(const std::map<std::string, std::int64_t>& given, PartyFlags& flags) {
  const auto take = [&given](const char* name, std::chrono::milliseconds& time) {
    if (const std::int64_t value = given.at(name); value != 0) time = std::chrono::milliseconds(value);
  };
  take("--deadline", flags.rendezvous.deadline);
  take("--handshake", flags.rendezvous.handshake);
  take("--patience", flags.mesh.patience);
  take("--heartbeat", flags.mesh.heartbeat);
  take("--silence", flags.mesh.silence);
  take("--compute", flags.compute);
  take("--settle", flags.settle);
}

void take_texts(const Texts& texts, PartyFlags& flags) {
  take_times(texts.milliseconds, flags);
  if (!texts.listen.empty()) flags.rendezvous.listen = Endpoint::parse(texts.listen);
  for (const std::string& pair : texts.agree) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos) throw ConfigError("--agree " + pair + " is not NAME=VALUE");
    flags.rendezvous.agreement.set(pair.substr(0, equals), pair.substr(equals + 1));
  }
}

}  // namespace

PartyFlags read_party_flags(int argc, char** argv) {
  CLI::App app("one rank of a mesh");
  PartyFlags flags;
  Texts texts;
  add_flags(app, flags, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw ConfigError(error.what());
  }
  take_texts(texts, flags);
  const Environment environment = read_environment([](const char* name) { return std::getenv(name); });
  flags.rendezvous.rank = environment.rank;
  flags.rendezvous.master = environment.master;
  flags.world_size = environment.world_size;
  flags.rendezvous.log = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  return flags;
}

}  // namespace tacit::net
