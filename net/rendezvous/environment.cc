#include "net/rendezvous/environment.h"

#include <fmt/format.h>

#include <string>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::net {

namespace {

constexpr const char* kRemedy =
    "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT for every process, as torchrun does; all but RANK are the same "
    "everywhere";

// A variable that is set but empty counts as not set: `RANK= command` in a shell sets it so.
bool is_set(const char* value) { return value != nullptr && *value != '\0'; }

std::string require(const GetVariable& get, const char* name, const std::string& expected) {
  const char* value = get(name);
  if (!is_set(value)) throw ConfigError(fmt::format("{} is not set; expected {}: {}", name, expected, kRemedy));
  return value;
}

int require_number(const GetVariable& get, const char* name, std::int64_t least, std::int64_t most,
                   const std::string& what) {
  const std::string expected = fmt::format("{}, within {} ... {}", what, least, most);
  const std::string value = require(get, name, expected);
  const auto number = parse_decimal(value, least, most);
  if (!number) {
    throw ConfigError(fmt::format("{} is \"{}\"; expected {}: {}", name, printable(value, 80), expected, kRemedy));
  }
  return static_cast<int>(*number);
}

std::string require_host(const GetVariable& get, const char* name) {
  const std::string expected = "the name or address of the machine of rank 0, without a port";
  const std::string value = require(get, name, expected);
  const auto host = parse_host(value);
  if (!host) {
    throw ConfigError(fmt::format("{} is \"{}\"; expected {}: {}", name, printable(value, 80), expected, kRemedy));
  }
  return *host;
}

}  // namespace

Environment read_environment(const GetVariable& get) {
  Environment e;
  e.world_size = require_number(get, "WORLD_SIZE", 1, kMaxWorldSize, "the number of processes, helpers included");
  e.rank = require_number(get, "RANK", 0, e.world_size - 1,
                          fmt::format("this process's rank below WORLD_SIZE = {}", e.world_size));
  const bool alone = e.world_size == 1 && !is_set(get("MASTER_ADDR")) && !is_set(get("MASTER_PORT"));
  if (alone) return e;
  e.master.host = require_host(get, "MASTER_ADDR");
  e.master.port =
      static_cast<std::uint16_t>(require_number(get, "MASTER_PORT", 1, 65535, "the port at which rank 0 listens"));
  return e;
}

}  // namespace tacit::net
