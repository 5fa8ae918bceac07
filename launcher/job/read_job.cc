#include "launcher/job/read_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>

#include "gnn/settings/setting_field.h"
#include "launcher/job/setting_reference.h"
#include "launcher/settings/nearest_name.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

[[noreturn]] void wrong(const Source& place, const std::string& path, std::string_view what) {
  throw ConfigError(fmt::format("{}: {}: {}", place.place(), path, what));
}

// Keeps only the kind of a table or a date, since no setting has such a value.
gnn::SettingValue value_of(const DocumentValue& value) {
  gnn::SettingValue result;
  std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (std::is_same_v<Content, DocumentValue::List>) {
          gnn::SettingValue::List list;
          for (const DocumentValue& item : content) list.push_back(value_of(item));
          result.content = std::move(list);
        } else if constexpr (std::is_same_v<Content, DocumentValue::Table>) {
          result.content = gnn::SettingValue::Other{"a table"};
        } else if constexpr (std::is_same_v<Content, DocumentValue::Date>) {
          result.content = gnn::SettingValue::Other{"a date or time"};
        } else {
          result.content = content;
        }
      },
      value.content);
  return result;
}

class Reader final : public gnn::SettingVisitor {
 public:
  Reader(const DocumentValue& document, JobSources& sources) : sources_(sources) {
    levels_.push_back({&document, document.source, {}});
  }
  // Checks the outermost table.
  void finish() { expect_all_known(); }

  bool has(std::string_view key, bool) override { return find(key) != nullptr; }

  bool leaves_out(std::string_view key) override { return find(key) == nullptr; }

  void exclude(std::string_view key, std::string_view why) override {
    const DocumentValue::Entry* entry = find(key);
    if (entry != nullptr && level().missing.empty()) wrong(entry->source, path_of(key), why);
  }

  void stands_for(std::string_view key, std::string_view other) override {
    if (const DocumentValue::Entry* entry = find(key)) sources_.cover(path_of(other), entry->source);
  }

 private:
  struct Level {
    const DocumentValue* table;  // null: the document lacks the table
    Source place;
    std::vector<std::string_view> known;
    std::string missing = {};  // the first missing setting; reported only if no misspelt key is found
  };
  Level& level() { return levels_.back(); }

  void visit(const gnn::About& about, gnn::SettingField& field) override {
    const DocumentValue::Entry* entry = find(about.key);
    const std::string path = path_of(about.key);
    if (entry == nullptr) {
      if (about.required && level().missing.empty()) {
        level().missing =
            fmt::format("{}: {}: it is missing; expected {}", level().place.place(), path, field.allowed());
      }
      return;
    }
    try {
      field.read(value_of(entry->value));
    } catch (const ConfigError& error) {
      wrong(entry->value.source, path, error.what());
    }
    sources_.set(path, entry->value.source);
  }

  void entered(std::string_view key, std::string_view short_for) override {
    const DocumentValue::Entry* entry = find(key);
    if (entry == nullptr) {
      levels_.push_back({nullptr, level().place, {}});
      return;
    }
    if (!short_for.empty() && std::holds_alternative<std::string>(entry->value.content)) {
      const DocumentValue::Entry inside{std::string(short_for), entry->source, entry->value};
      spelled_out_.push_back({DocumentValue::Table{inside}, entry->value.source});
      levels_.push_back({&spelled_out_.back(), entry->source, {}});
      return;
    }
    expect_table(entry->value);
    levels_.push_back({&entry->value, entry->source, {}});
  }

  void left() override {
    if (level().table != nullptr) expect_all_known();
    const std::string missing = std::move(level().missing);
    levels_.pop_back();
    if (level().missing.empty()) level().missing = missing;  // a misspelt name of the table may be the cause
  }

  std::size_t length(std::string_view key, std::size_t, std::size_t most) override {
    const DocumentValue::Entry* entry = find(key);
    if (entry == nullptr) return 0;
    const auto* list = std::get_if<DocumentValue::List>(&entry->value.content);
    if (list == nullptr || list->size() > most) {
      wrong(entry->value.source, path_of(key),
            fmt::format("expected a list of at most {} tables, as [[{}]] makes it, not {}", most, path_of(key),
                        describe(entry->value)));
    }
    return list->size();
  }

  void entered_item(std::string_view key, std::size_t index) override {
    const DocumentValue& item = std::get<DocumentValue::List>(find(key)->value.content)[index];
    expect_table(item);
    levels_.push_back({&item, item.source, {}});
  }

  const DocumentValue::Entry* find(std::string_view key) {
    std::vector<std::string_view>& known = level().known;
    if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
    return level().table == nullptr ? nullptr : level().table->find(key);
  }

  // Throws unless the value of the table that was entered last is a table.
  void expect_table(const DocumentValue& value) const {
    if (value.table() == nullptr) {
      wrong(value.source, path(), fmt::format("expected a table, not {}", describe(value)));
    }
  }

  // Throws if the innermost open table has an unknown key, or lacks a required setting.
  void expect_all_known() {
    for (const DocumentValue::Entry& entry : *level().table->table()) {
      const std::vector<std::string_view>& known = level().known;
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      wrong(entry.source, path_of(net::printable(entry.key, 80)), "there is no such setting; " + advice(entry.key));
    }
    if (!level().missing.empty()) throw ConfigError(level().missing);
  }

  std::string advice(const std::string& key) {
    const std::string_view near = nearest_name(key, level().known);
    if (!near.empty()) return fmt::format("did you mean {}?", path_of(near));
    const std::vector<std::string> elsewhere = settings_named(key);
    if (!elsewhere.empty()) return fmt::format("did you mean {}?", fmt::join(elsewhere, " or "));
    return fmt::format("here may stand {}", fmt::join(level().known, ", "));
  }

  JobSources& sources_;
  std::deque<DocumentValue> spelled_out_;  // tables that replace a text
  std::vector<Level> levels_;
};

}  // namespace

ReadJob read_job(const DocumentValue& document) {
  ReadJob read;
  read.job.output = "runs";
  Reader reader(document, read.sources);
  read.job.describe(reader);
  reader.finish();
  return read;
}

}  // namespace tacit::launcher
