#include "gnn/data/cleaning_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gnn/data/graph_npz.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::string_view, 3> kWords = {"constants", "exact", "noisy"};
constexpr std::string_view kKey = "cleaning";
constexpr std::string_view kTable = " table ", kSession = " session ";
constexpr std::size_t kTableDigits = 32, kSessionDigits = 64;

// Takes `before` and `digits` hexadecimal digits from the beginning of the text, and returns the digits. If the text begins
// otherwise, takes nothing and returns "".
std::string take_digits(std::string_view& text, std::string_view before, std::size_t digits) {
  if (!text.starts_with(before) || text.size() < before.size() + digits) return "";
  const std::string_view found = text.substr(before.size(), digits);
  if (found.find_first_not_of("0123456789abcdef") != std::string_view::npos) return "";
  text.remove_prefix(before.size() + digits);
  return std::string(found);
}

}  // namespace

std::string CleaningMark::text() const {
  return fmt::format("{}{}{}", kWords[static_cast<std::size_t>(imputed)],
                     table.empty() ? "" : fmt::format("{}{}", kTable, table),
                     session.empty() ? "" : fmt::format("{}{}", kSession, session));
}

std::optional<CleaningMark> CleaningMark::parse(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  const auto found = std::find(kWords.begin(), kWords.end(), word);
  if (found == kWords.end()) return std::nullopt;
  text.remove_prefix(word.size());
  CleaningMark mark;
  mark.imputed = static_cast<Imputed>(found - kWords.begin());
  mark.table = take_digits(text, kTable, kTableDigits);
  mark.session = take_digits(text, kSession, kSessionDigits);
  if (!text.empty() || mark.session.empty() == (mark.imputed == Imputed::kNoisy)) return std::nullopt;
  return mark;
}

NamedArray CleaningMark::array() const { return {std::string(kKey), {}, std::vector{text()}}; }

std::optional<CleaningMark> cleaning_mark_in(const std::filesystem::path& path) {
  if (path.extension() != ".npz") return std::nullopt;
  const Npz file(path);
  if (!file.has(kKey)) return std::nullopt;
  const std::vector<std::string> text = file.read_text(kKey);
  const auto mark = text.size() == 1 ? CleaningMark::parse(text.front()) : std::nullopt;
  if (!mark) file.place().within(kKey).wrong("expected the text that `tacit data clean` wrote; clean the table again");
  return mark;
}

void write_marked_npz(const std::filesystem::path& path, const GraphData& data,
                      const std::optional<CleaningMark>& mark) {
  check(data, path.string());
  std::vector<NamedArray> arrays = arrays_of(data);
  if (mark) arrays.push_back(mark->array());
  write_npz(path, arrays);
}

}  // namespace tacit::gnn
