// SettingVisitor — base class of the tools that read, write, compare, hash, validate or list the
// settings of a plan.
//
// A struct of settings describes itself in one function, describe(SettingVisitor&). The function
// has one line for each member, with the key, the help and the limits. Every tool is a visitor and
// sees the settings in this order. To add a setting, add the member and its line in describe().
//
//   struct EarlyStopping {
//     std::int64_t patience = 10;
//     void describe(SettingVisitor& visitor) {
//       visitor.whole({"patience", "evaluations in a row without improvement before training stops"},
//                     patience, 1, 1000);
//     }
//   };
//
// describe() may read members that it has described already. For example, momentum is a setting of
// SGD alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tacit::mpc {
struct To;
}

namespace tacit::gnn {

class SettingField;
struct PartOwnership;
enum class GraphPart;

// The scope in which all values of a setting must be equal. Each scope includes the scopes before
// it.
enum class Scope {
  kRank,     // no scope: each rank has a value of its own, such as a path
  kSession,  // all ranks of a session
  kRun,      // all sessions of a run, which resume from each other's checkpoints
  kModel,    // all uses of the trained model: predictions depend on the setting
};

struct About {
  std::string_view key;
  std::string_view help;  // one sentence without a full stop: the effect of the setting, and its unit
  Scope scope = Scope::kRun;
  bool required = false;
};

struct Interval {
  double least = 0, most = 0;
  bool without_least = false, without_most = false;

  bool contains(double value) const;  // false for NaN
  std::string text() const;
};

// The words of an enumeration, each with its value.
template <typename Enum, std::size_t n>
using WordTable = std::array<std::pair<Enum, std::string_view>, n>;

class SettingVisitor {
 public:
  virtual ~SettingVisitor() = default;

  void whole(const About& about, std::int64_t& value, std::int64_t least, std::int64_t most);
  void whole(const About& about, std::uint64_t& value, std::int64_t least, std::int64_t most);
  void whole(const About& about, int& value, std::int64_t least, std::int64_t most);
  void one_of(const About& about, int& value, std::span<const std::int64_t> known);
  // A number of epochs. The word "off" stands for 0.
  void period(const About& about, std::int64_t& value, std::int64_t most);
  void real(const About& about, double& value, const Interval& within);
  void real(const About& about, std::optional<double>& value, const Interval& within);  // optional setting
  void flag(const About& about, bool& value);
  template <typename Enum, std::size_t n>
  void word(const About& about, Enum& value, const WordTable<Enum, n>& words);
  // The audience of a revealed value: "everyone", "nobody" or a rank.
  void audience(const About& about, std::optional<mpc::To>& value);
  // The owner of a part of the graph.
  void ownership(const About& about, PartOwnership& value, GraphPart part);
  void field(const About& about, SettingField& field) { visit(about, field); }  // for a kind without a function here

  // Asks for an optional setting or table. A visitor that reads looks for the key; other visitors
  // answer `now`.
  virtual bool has(std::string_view /*key*/, bool now) { return now; }

  // True if the visitor reads settings and there is no such key: the caller sets the default of a list.
  virtual bool leaves_out(std::string_view /*key*/) { return false; }

  // Begins a table, which lasts until leave(). A text in the place of the table is the value of the
  // setting `short_for` in the table.
  void enter(std::string_view key, std::string_view short_for = "");
  void leave();
  template <typename Settings>
  void table(std::string_view key, Settings& settings, std::string_view short_for = "") {
    enter(key, short_for);
    settings.describe(*this);
    leave();
  }

  // A list of tables. A visitor that reads sets the length of the list. `context`: more arguments of describe().
  template <typename Settings, typename... Context>
  void list(std::string_view key, std::vector<Settings>& all, std::size_t most, const Context&... context);

  // The setting `key` exists, but contradicts a value that was described before. `why` explains the
  // conflict.
  virtual void exclude(std::string_view /*key*/, std::string_view /*why*/) {}
  // The value of `key` also determines the settings in `other`.
  virtual void stands_for(std::string_view /*key*/, std::string_view /*other*/) {}

 protected:
  virtual void visit(const About& about, SettingField& field) = 0;
  virtual void entered(std::string_view /*key*/, std::string_view /*short_for*/) {}
  virtual std::size_t length(std::string_view /*key*/, std::size_t now, std::size_t /*most*/) { return now; }
  virtual void entered_item(std::string_view /*key*/, std::size_t /*index*/) {}
  virtual void left() {}

  // The path of the current table, "model.layers[1]", and of a setting in it,
  // "model.layers[1].outputs".
  std::string path() const { return tables_.empty() ? "" : tables_.back(); }
  std::string path_of(std::string_view key) const;

 private:
  void visit_word(const About& about, std::size_t& index, std::span<const std::string_view> words);
  void enter_item(std::string_view key, std::size_t index);

  std::vector<std::string> tables_;  // paths of the open tables
};

template <typename Enum, std::size_t n>
void SettingVisitor::word(const About& about, Enum& value, const WordTable<Enum, n>& words) {
  std::array<std::string_view, n> names;
  std::size_t index = n;
  for (std::size_t i = 0; i < n; ++i) {
    names[i] = words[i].second;
    if (words[i].first == value) index = i;
  }
  visit_word(about, index, names);
  if (index < n) value = words[index].first;
}

template <typename Settings, typename... Context>
void SettingVisitor::list(std::string_view key, std::vector<Settings>& all, std::size_t most,
                          const Context&... context) {
  all.resize(length(key, all.size(), most));
  for (std::size_t i = 0; i < all.size(); ++i) {
    enter_item(key, i);
    all[i].describe(*this, context...);
    leave();
  }
}

}  // namespace tacit::gnn
