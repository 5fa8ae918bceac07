#include <fmt/format.h>

#include "launcher/commands/verb.h"
#include "mpc/sealed/storage_key.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"

namespace tacit::launcher {

namespace {

struct KeyOptions {
  std::string file;
  bool storage = false;
};

struct RosterOptions {
  std::vector<std::string> parties, dealers;
  std::string mine;
};

// The first line is for programs, the second one for reading aloud on the phone.
Answer identity_answer(const net::Fingerprint& fingerprint) {
  return {fmt::format("{}\n{}\n", fingerprint.text(), fingerprint.grouped()),
          {{"kind", "identity"}, {"fingerprint", fingerprint.text()}}};
}

Answer storage_answer(const mpc::StorageKey& key) {
  std::string name;
  for (const std::byte byte : key.name()) name += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return {name + "\n", {{"kind", "storage"}, {"name", name}}};
}

Answer with_file(Answer answer, const std::string& file) {
  answer.json["file"] = file;
  return answer;
}

Answer make_key(const KeyOptions& options) {
  if (options.storage) {
    mpc::StorageKey::make(options.file);
    return with_file(storage_answer(mpc::StorageKey::load(options.file)), options.file);
  }
  const net::Identity identity = net::Identity::generate();
  identity.save(options.file);
  Answer answer = identity_answer(identity.fingerprint());
  answer.text += fmt::format("The others need this fingerprint; {} stays with you.\n", options.file);
  return with_file(std::move(answer), options.file);
}

Answer show_key(const KeyOptions& options) {
  return with_file(options.storage ? storage_answer(mpc::StorageKey::load(options.file))
                                   : identity_answer(net::Identity::load(options.file).fingerprint()),
                   options.file);
}

net::RosterEntry entry(net::Role role, const std::string& text) {
  try {
    return net::parse_roster_entry(role, text);
  } catch (const ConfigError& error) {
    throw ConfigError(fmt::format("--{} {}", net::name(role), error.what()));
  }
}

int rank_of_key(const net::Roster& roster, const std::string& file) {
  const net::Fingerprint mine = net::Identity::load(file).fingerprint();
  const int rank = roster.rank_of(mine);
  if (rank >= 0) return rank;
  throw ConfigError(
      fmt::format("the key {} has fingerprint {}, but no rank in the roster has it: the sender of the "
                  "fingerprints has another one for you; compare the fingerprints over the phone",
                  file, mine.text()));
}

Answer make_roster(const RosterOptions& options) {
  std::vector<net::RosterEntry> entries;
  for (const std::string& text : options.parties) entries.push_back(entry(net::Role::kParty, text));
  for (const std::string& text : options.dealers) entries.push_back(entry(net::Role::kDealer, text));
  const net::Roster roster(std::move(entries));
  Answer answer{roster.text(), {{"parties", roster.parties()}, {"roster", roster.text()}}};
  if (!options.mine.empty()) answer.json["own_rank"] = rank_of_key(roster, options.mine);
  return answer;
}

}  // namespace

void add_keys(CLI::App& tacit, Choice& choice) {
  CLI::App* keys = add_group(tacit, "keys", "keys that identify ranks, and rosters of keys", "tacit keys new mine.key");
  const auto key = std::make_shared<KeyOptions>();
  const auto roster = std::make_shared<RosterOptions>();
  CLI::App* make = add_verb(*keys, choice, "new",
                            "make a private key, readable by you alone, and print its fingerprint for the other ranks",
                            "tacit keys new mine.key", [key] { return make_key(*key); });
  make->add_option("FILE", key->file, "file to write; never overwritten")->required();
  make->add_flag("--storage", key->storage, "make the key that seals checkpoints, instead of the key for the network");

  CLI::App* show = add_verb(*keys, choice, "show", "print the fingerprint of a private key", "tacit keys show mine.key",
                            [key] { return show_key(*key); });
  show->add_option("FILE", key->file, "the private key")->required();
  show->add_flag("--storage", key->storage, "FILE is a key that seals checkpoints");

  CLI::App* make_list =
      add_verb(*keys, choice, "roster",
               "print a roster, the same file at every rank: ranks in the order of the options, "
               "parties first",
               "tacit keys roster --party 6f1c... --party 93b0...@node1:4711 --dealer 0d44... > roster",
               [roster] { return make_roster(*roster); });
  make_list->add_option("--party", roster->parties, "FINGERPRINT or FINGERPRINT@HOST:PORT, once for each party")
      ->required();
  make_list->add_option("--dealer", roster->dealers,
                        "FINGERPRINT or FINGERPRINT@HOST:PORT of the dealer, if the job has one");
  make_list->add_option("--mine", roster->mine, "your private key: refuse a roster that lacks it");
}

}  // namespace tacit::launcher
