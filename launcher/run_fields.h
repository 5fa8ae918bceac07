// The structs in a rank's events and summary, with their JSON keys: ranks write these keys, and reports read them.
//
// A Told struct replaces a struct of mpc/ or gnn/ if values have another type in the file, such as the text of an
// enum, or seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnn/train/usage.h"
#include "launcher/json_fields.h"
#include "launcher/untrusted_text.h"
#include "mpc/session/session.h"
#include "net/traffic.h"

namespace tacit::launcher {

constexpr auto fields_of(Type<mpc::Cost>) {
  using T = mpc::Cost;
  return std::tuple(Field("rounds", &T::rounds), Field("bytes", &T::bytes), Field("messages", &T::messages),
                    Field("dealt_bytes", &T::dealt_bytes), Field("dealt_messages", &T::dealt_messages),
                    Field("made_rounds", &T::made_rounds), Field("made_bytes", &T::made_bytes),
                    Field("made_leakage", &T::made_leakage));
}

constexpr auto fields_of(Type<mpc::Decision>) {
  return std::tuple(Field("what", &mpc::Decision::reason), Field("count", &mpc::Decision::count));
}

constexpr auto fields_of(Type<gnn::Usage>) {
  using T = gnn::Usage;
  return std::tuple(Field("seconds", &T::seconds), Field("cpu_seconds", &T::cpu_seconds),
                    Field("peak_memory", &T::peak_memory));
}

constexpr auto fields_of(Type<net::PeerTraffic>) {
  using T = net::PeerTraffic;
  return std::tuple(Field("payload_sent", &T::payload_sent), Field("payload_received", &T::payload_received),
                    Field("wire_sent", &T::wire_sent), Field("wire_received", &T::wire_received),
                    Field("messages_sent", &T::messages_sent), Field("messages_received", &T::messages_received),
                    Field("packets_sent", &T::packets_sent), Field("packets_received", &T::packets_received),
                    Field("retransmissions", &T::retransmissions), Field("rtt_us", &T::rtt));
}

struct ToldReveal {
  std::string what, to;  // "training loss", "everyone"
  std::int64_t count = 0, elements = 0;
};
constexpr auto fields_of(Type<ToldReveal>) {
  using T = ToldReveal;
  return std::tuple(Field("what", &T::what), Field("to", &T::to), Field("count", &T::count),
                    Field("elements", &T::elements));
}

// The account of a private training (launcher/plan/privacy_account.h).
struct ToldAdversary {
  std::string who;
  double noise = 0, epsilon = 0, epsilon_renyi = 0;
};
constexpr auto fields_of(Type<ToldAdversary>) {
  using T = ToldAdversary;
  return std::tuple(Field("who", &T::who), Field("noise", &T::noise), Field("epsilon", &T::epsilon),
                    Field("epsilon_renyi", &T::epsilon_renyi));
}

struct ToldPrivacy {
  std::string unit;
  double clip = 0, delta = 0, rate = 0, records_in_a_step = 0;
  std::int64_t steps = 0, epochs = 0;
  std::vector<ToldAdversary> adversaries;
  std::optional<double> noise_of_a_sum = {}, mean_degree = {};  // only of a model with private edges
  std::vector<std::string> not_covered = {};
};
constexpr auto fields_of(Type<ToldPrivacy>) {
  using T = ToldPrivacy;
  return std::tuple(Field("unit", &T::unit), Field("clip", &T::clip), Field("delta", &T::delta),
                    Field("rate", &T::rate), Field("records_in_a_step", &T::records_in_a_step),
                    Field("steps", &T::steps), Field("epochs", &T::epochs), Field("adversaries", &T::adversaries),
                    Field("noise_of_a_sum", &T::noise_of_a_sum), Field("mean_degree", &T::mean_degree));
}

struct ToldCost {
  std::string protocol;
  std::int64_t calls = 0;
  mpc::Cost cost;
};
constexpr auto fields_of(Type<ToldCost>) {
  return std::tuple(Field("protocol", &ToldCost::protocol), Field("calls", &ToldCost::calls), Inlined(&ToldCost::cost));
}

// The sizes that the ranks agreed on before training.
struct ToldSizes {
  std::int64_t nodes = 0, features = 0, targets = 0, edges = 0;
  std::int64_t train = 0, validation = 0, test = 0;
  std::int64_t parameters = 0;  // numbers in the model
  bool classes = false;         // targets counts them
  std::int64_t graphs = 0;      // 0: the labels are of nodes
  bool links = false;           // train, validation and test count pairs of nodes
  std::int64_t snapshots = 1;   // with more, train, validation and test count nodes in snapshots
};
constexpr auto fields_of(Type<ToldSizes>) {
  using T = ToldSizes;
  return std::tuple(Field("nodes", &T::nodes), Field("features", &T::features), Field("targets", &T::targets),
                    Field("classes", &T::classes), Field("edges", &T::edges), Field("train", &T::train),
                    Field("validation", &T::validation), Field("test", &T::test), Field("parameters", &T::parameters),
                    Field("graphs", &T::graphs), Field("links", &T::links), Field("snapshots", &T::snapshots));
}

// The counts of a confusion matrix: a row for each class, a column for each predicted class. If it is empty, the
// reading has no counts, and its JSON has no such key.
struct ToldCounts {
  std::vector<std::vector<double>> rows;
};
inline constexpr std::size_t kMostToldClasses = 1000;

// Names of classes, if the job has them. Without a name, the JSON has no such key.
struct ToldName {
  std::string text;
};
struct ToldNames {
  std::vector<std::string> of;  // the names of class 0, 1, ...
};

struct ToldReading {
  std::string what, to;  // "test rmse", "everyone"
  double value = 0;
  ToldCounts counts = {};
  ToldName class_name = {};    // if the metric is for one class
  ToldNames class_names = {};  // beside counts: the name of each row and column
};
inline void read_field(const Json& from, const char* key, ToldName& name, Limit) { name.text = text_in(from, key); }
template <typename T>
void add_member(Json& json, const T& one, const Field<T, ToldName>& field) {
  if (const ToldName& name = one.*field.member; !name.text.empty()) json[field.name] = name.text;
}
inline void read_field(const Json& from, const char* key, ToldNames& names, Limit) {
  names.of.clear();
  const Json& all = list_in(from, key);
  if (all.size() > kMostToldClasses) return;
  for (const Json& one : all) {
    if (!one.is_string()) return names.of.clear();
    names.of.push_back(shortened(one.get_ref<const std::string&>(), kMostText));
  }
}
template <typename T>
void add_member(Json& json, const T& one, const Field<T, ToldNames>& field) {
  if (const ToldNames& names = one.*field.member; !names.of.empty()) json[field.name] = names.of;
}
inline void read_field(const Json& from, const char* key, ToldCounts& counts, Limit) {
  counts.rows.clear();
  const Json& rows = list_in(from, key);
  if (rows.size() > kMostToldClasses) return;
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != rows.size()) return counts.rows.clear();
    std::vector<double>& read = counts.rows.emplace_back();
    for (const Json& count : row) read.push_back(count.is_number() ? count.get<double>() : 0);
  }
}
template <typename T>
void add_member(Json& json, const T& one, const Field<T, ToldCounts>& field) {
  if (const ToldCounts& counts = one.*field.member; !counts.rows.empty()) json[field.name] = counts.rows;
}
constexpr auto fields_of(Type<ToldReading>) {
  using T = ToldReading;
  return std::tuple(Field("what", &T::what), Field("value", &T::value), Field("to", &T::to),
                    Field("counts", &T::counts), Field("class_name", &T::class_name),
                    Field("class_names", &T::class_names));
}
// A value that left its range has no number.
inline bool is_usable(const Json& reading, Type<ToldReading>) { return number_in(reading, "value").has_value(); }

// The traffic of an epoch, without the peers one by one.
struct EpochTraffic {
  std::int64_t rounds = 0;
  net::PeerTraffic total;
  net::PeerTraffic parties;  // without the dealer; protocols state its payload and messages sent
};

struct ToldEpoch {
  std::int64_t epoch = 0;
  std::optional<double> loss;
  std::vector<ToldReading> readings;
  std::optional<double> rate;
  gnn::Usage usage;
  std::optional<mpc::Cost> stated;
  std::optional<EpochTraffic> measured;  // by then; the file has a net::Traffic
};
constexpr auto fields_of(Type<ToldEpoch>) {
  using T = ToldEpoch;
  return std::tuple(Field("epoch", &T::epoch), Field("loss", &T::loss), Field("readings", &T::readings),
                    Field("rate", &T::rate), Inlined(&T::usage), Field("stated", &T::stated));
}

// The result of a training if the best model is not the last one; the last epoch's event has it.
struct ToldBest {
  std::int64_t epoch = 0;
  std::vector<ToldReading> readings;
};
constexpr auto fields_of(Type<ToldBest>) {
  using T = ToldBest;
  return std::tuple(Field("epoch", &T::epoch), Field("readings", &T::readings));
}

struct ToldTime {
  double seconds = 0;
  double waited_for_parties = 0, waited_for_dealer = 0;  // parts of `seconds`
};

// The rounds, bytes and time of a rank's last session by part.
struct ToldProfile {
  struct Protocol {
    std::string protocol;
    std::int64_t calls = 0;
    ToldTime time;
    mpc::Cost cost;
  };
  struct Part {
    std::string part;  // "layer 0 forward"
    std::int64_t times = 0;
    ToldTime time;
    std::vector<Protocol> protocols;
  };

  std::vector<Part> before, first_epoch;
  std::int64_t epochs = 0;  // after the first
  std::vector<Part> parts;  // for all later epochs together
  std::vector<Part> after;
};

inline constexpr std::size_t kMostProtocolsTold = 100;  // in one part
inline constexpr double kMostSecondsTold = 1e12;

constexpr auto fields_of(Type<ToldTime>) {
  using T = ToldTime;
  return std::tuple(Field("seconds", &T::seconds, kMostSecondsTold),
                    Field("waited_for_parties", &T::waited_for_parties, kMostSecondsTold),
                    Field("waited_for_dealer", &T::waited_for_dealer, kMostSecondsTold));
}
constexpr auto fields_of(Type<ToldProfile::Protocol>) {
  using T = ToldProfile::Protocol;
  return std::tuple(Field("protocol", &T::protocol), Field("calls", &T::calls), Inlined(&T::time),
                    Field("cost", &T::cost));
}
constexpr auto fields_of(Type<ToldProfile::Part>) {
  using T = ToldProfile::Part;
  return std::tuple(Field("part", &T::part), Field("times", &T::times), Inlined(&T::time),
                    Field("protocols", &T::protocols, kMostProtocolsTold));
}
constexpr auto fields_of(Type<ToldProfile>) {
  using T = ToldProfile;
  return std::tuple(Field("before", &T::before), Field("first_epoch", &T::first_epoch), Field("epochs", &T::epochs),
                    Field("parts", &T::parts), Field("after", &T::after));
}

}  // namespace tacit::launcher
