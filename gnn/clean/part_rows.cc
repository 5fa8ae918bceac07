#include "gnn/clean/part_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "gnn/data/npy_header.h"
#include "gnn/data/zip_writer.h"
#include "net/error.h"
#include "net/printable.h"
#include "net/utf8.h"

namespace tacit::gnn {

namespace {

using Role = CleaningColumn::Role;

template <typename T>
void put(std::string& to, T value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::span<const std::byte> bytes_in(const std::string& text) { return std::as_bytes(std::span(text)); }

std::int64_t characters_in_utf8(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
}

// A name's UTF-8, which is valid, as UTF-32 in `width` characters.
void put_name(std::string& to, std::string_view name, std::int64_t width) {
  const std::size_t end = to.size() + static_cast<std::size_t>(width) * 4;
  for (std::size_t i = 0; i < name.size();) {
    const auto lead = static_cast<unsigned char>(name[i]);
    const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t code = bytes == 1 ? lead : lead & (0xff >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) code = code << 6 | (static_cast<unsigned char>(name[i + k]) & 0x3f);
    put(to, code);
    i += bytes;
  }
  to.resize(end, '\0');
}

std::string in_quotes(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"') all += '"';
    all += c;
  }
  return all + '"';
}

}  // namespace

PartFormat::PartFormat(const CleaningRules& rules, std::vector<double> replacements, Kind kind, std::int64_t name_width)
    : rules_(rules),
      kind_(kind),
      replacements_(std::move(replacements)),
      names_rows_(rules.with(Role::kName) != nullptr),
      masks_(rules.split || rules.with(Role::kSplit) != nullptr),
      name_width_(std::max<std::int64_t>(name_width, 1)) {
  for (std::size_t i = 0; i < rules.columns.size(); ++i) {
    const CleaningColumn& column = rules.columns[i];
    if (column.role == Role::kClass || column.role == Role::kTarget) {
      label_ = column_of(i, {}, column.role == Role::kClass ? "class" : "y");
    }
    if (column.role != Role::kFeature) continue;
    if (!column.one_hot) {
      features_.push_back(column_of(i, {}, column.name));
      continue;
    }
    std::vector<double> known;  // two codes may stand for one number
    for (const CleaningColumn::Code& code : column.codes) {
      if (std::find(known.begin(), known.end(), code.number) != known.end()) continue;
      known.push_back(code.number);
      features_.push_back(column_of(i, code.number, fmt::format("{}={}", column.name, code.text)));
    }
  }
  bytes_ = std::all_of(features_.begin(), features_.end(), [this](const Column& one) { return fits_bytes(one); });
  if (kind == Kind::kCsv) {
    sections_.push_back({});
    return;
  }
  if (bytes_) {
    for (Column& one : features_) {
      for (std::size_t k = 0; k < 256; ++k) one.small[k] = static_cast<std::uint8_t>(one.numbers[k]);
    }
  }
  if (const auto width = static_cast<std::int64_t>(features_.size()); width > 0) {  // a party may have labels alone
    sections_.push_back({"x", bytes_ ? NpyType::kUint8 : NpyType::kFloat64, width, bytes_ ? width : width * 8});
  }
  if (label_) {
    const bool classes = rules.columns[label_->rule].role == Role::kClass;
    sections_.push_back({"y", classes ? NpyType::kInt32 : NpyType::kFloat64, 0, classes ? 4 : 8});
  }
  if (masks_) {
    for (const char* mask : {"train_mask", "val_mask", "test_mask"}) sections_.push_back({mask, NpyType::kBool, 0, 1});
  }
  if (names_rows_) sections_.push_back({"ids", NpyType::kUint8, 0, name_width_ * 4});
}

double PartFormat::Column::written(double value) const {
  if (code) return value == *code ? 1 : 0;
  return log ? std::log1p(value) : value;
}

PartFormat::Column PartFormat::column_of(std::size_t rule, std::optional<double> code, std::string name) const {
  const CleaningColumn& of = rules_.columns[rule];
  Column column{rule, of.log, code, std::move(name)};
  column.numbers.fill(column.written(replacements_[rule]));
  for (std::size_t i = 0; i < of.codes.size(); ++i) {
    column.numbers[RecordParser::kFirstCode + i] = column.written(of.codes[i].number);
  }
  if (kind_ == Kind::kNpz) return column;
  const bool may_lack = of.repair == CleaningColumn::Repair::kUnlabelled;
  for (std::size_t k = 0; k < column.numbers.size(); ++k) {
    column.texts.push_back(may_lack && k < RecordParser::kNumber ? "" : fmt::format("{}", column.numbers[k]));
  }
  return column;
}

bool PartFormat::fits_bytes(const Column& column) const {
  const auto fits = [](double number) { return number >= 0 && number <= 255 && std::floor(number) == number; };
  if (rules_.columns[column.rule].is_number()) return false;
  return std::all_of(column.numbers.begin(), column.numbers.end(), fits);
}

std::vector<std::string> PartFormat::feature_names() const {
  std::vector<std::string> names;
  for (const Column& one : features_) names.push_back(one.name);
  return names;
}

std::string PartFormat::header() const {
  std::vector<std::string> names;
  if (names_rows_) names.emplace_back("id");
  for (const Column& one : features_) names.push_back(in_quotes(one.name));
  if (label_) names.push_back(label_->name);
  if (masks_) names.emplace_back("train_mask,val_mask,test_mask");
  return fmt::format("{}\n", fmt::join(names, ","));
}

RowBlock PartFormat::block() const { return {0, std::vector<std::string>(sections_.size())}; }

void PartFormat::append(const RecordParser& row, RowPart part, RowBlock& to) const {
  ++to.rows;
  if (kind_ == Kind::kNpz) {
    append_arrays(row, part, to);
  } else {
    append_line(row, part, to.sections.front());
  }
}

double PartFormat::number(const RecordParser& row, const Column& column) {
  const RecordParser::Found found = row.found()[column.rule];
  return found == RecordParser::kNumber ? column.written(row.number(column.rule)) : column.numbers[found];
}

void PartFormat::append_features(const RecordParser& row, std::string& x) const {
  if (!bytes_) {
    for (const Column& one : features_) put(x, number(row, one));
    return;
  }
  const std::size_t before = x.size();
  x.resize(before + features_.size());
  char* to_next = x.data() + before;
  for (const Column& one : features_) *to_next++ = static_cast<char>(one.small[row.found()[one.rule]]);
}

void PartFormat::append_arrays(const RecordParser& row, RowPart part, RowBlock& to) const {
  std::size_t section = 0;
  if (!features_.empty()) append_features(row, to.sections[section++]);
  if (label_) {
    std::string& y = to.sections[section++];
    if (rules_.columns[label_->rule].role == Role::kClass) {
      put(y, static_cast<std::int32_t>(number(row, *label_)));
    } else {
      put(y, number(row, *label_));
    }
  }
  if (masks_) {
    for (const RowPart mask : {RowPart::kTrain, RowPart::kValidation, RowPart::kTest}) {
      to.sections[section++].push_back(mask == part ? 1 : 0);
    }
  }
  if (names_rows_) put_name(to.sections[section++], row.name(), name_width_);
}

void PartFormat::append_line(const RecordParser& row, RowPart part, std::string& to) const {
  const std::size_t begin = to.size();
  if (names_rows_) {
    to += in_quotes(row.name());
    to += ',';
  }
  const auto add = [&](const Column& column) {
    const RecordParser::Found found = row.found()[column.rule];
    if (found == RecordParser::kNumber) {
      fmt::format_to(std::back_inserter(to), "{}", number(row, column));
    } else {
      to += column.texts[found];
    }
    to += ',';
  };
  for (const Column& one : features_) add(one);
  if (label_) add(*label_);
  if (masks_) {
    constexpr std::array<std::string_view, 4> kMasks = {"1,0,0", "0,1,0", "0,0,1", "0,0,0"};
    to += kMasks[static_cast<std::size_t>(part)];
  } else {
    to.pop_back();
  }
  if (to.size() == begin) to += "\"\"";  // an unknown label alone: an empty line is no record
  to += '\n';
}

void PartFormat::seal(RowBlock& block) const {
  if (kind_ == Kind::kCsv) return;
  for (const std::string& bytes : block.sections) block.checksums.push_back(ZipWriter::checksum(bytes_in(bytes)));
}

PartWriter::PartWriter(const std::filesystem::path& path, const PartFormat& format, std::int64_t rows, bool with_header,
                       const std::optional<PartPlace>& at, const CleaningMark& mark)
    : file_(path), format_(format) {
  if (format.kind() == PartFormat::Kind::kCsv) {
    if (with_header) file_.write(bytes_in(format.header()));
    return;
  }
  for (const PartSection& section : format.sections()) {
    const std::int64_t width = std::max<std::int64_t>(section.columns, 1);
    if (rows > kMostElements / width) {
      throw ConfigError(
          fmt::format("{}: {} rows in {}; at most {} elements can be read again: write several parts with "
                      "--range",
                      path.string(), rows, section.key, kMostElements));
    }
    std::vector<std::int64_t> shape = {rows};
    if (section.columns > 0) shape.push_back(section.columns);
    const bool names = section.key == "ids";
    place(section.key, names ? npy_text_preamble(format.name_width(), shape) : npy_preamble(section.type, shape),
          rows * section.row_bytes);
  }
  std::string all = npy_preamble(NpyType::kInt64, {});
  put(all, at ? at->of : rows);
  place("num_nodes", all, 0);
  const std::string text = mark.text();
  std::string origin = npy_text_preamble(std::ssize(text), {1});
  put_name(origin, text, std::ssize(text));
  place("cleaning", origin, 0);
  std::vector<std::string> names = format.feature_names();
  std::int64_t width = 1;
  for (std::string& name : names) {
    if (!net::is_utf8(name)) name = net::printable(name);
    width = std::max(width, characters_in_utf8(name));
  }
  if (!names.empty()) {
    std::string all_names = npy_text_preamble(width, {std::ssize(names)});
    for (const std::string& name : names) put_name(all_names, name, width);
    place("feature_names", all_names, 0);
  }
  if (!at) return;
  std::string own = npy_preamble(NpyType::kInt64, {2});
  put(own, at->first);
  put(own, rows);
  place("own_rows", own, 0);
}

// Writes the beginning of a member, and leaves room for the rest.
void PartWriter::place(const std::string& key, const std::string& content, std::int64_t more_bytes) {
  Placed one{key + ".npy", std::ssize(content) + more_bytes, 0, 0, ZipWriter::checksum(bytes_in(content))};
  const auto bytes = static_cast<std::uint64_t>(one.bytes);
  one.at =
      end_ + static_cast<std::int64_t>(ZipWriter::header_bytes(one.member, bytes, static_cast<std::uint64_t>(end_)));
  one.next = one.at + std::ssize(content);
  file_.write_at(one.at, bytes_in(content));
  end_ = one.at + one.bytes;
  placed_.push_back(std::move(one));
}

void PartWriter::take(const RowBlock& block) {
  if (format_.kind() == PartFormat::Kind::kCsv) return file_.write(bytes_in(block.sections.front()));
  for (std::size_t i = 0; i < block.sections.size(); ++i) {
    const std::string& bytes = block.sections[i];
    Placed& to = placed_[i];
    TACIT_CHECK(to.next + std::ssize(bytes) <= to.at + to.bytes);
    file_.write_at(to.next, bytes_in(bytes));
    to.next += std::ssize(bytes);
    to.checksum = ZipWriter::joined_checksum(to.checksum, block.checksums[i], bytes.size());
  }
}

void PartWriter::finish() {
  if (format_.kind() == PartFormat::Kind::kNpz) {
    std::int64_t at = 0;
    ZipWriter archive([&](std::span<const std::byte> bytes) {
      file_.write_at(at, bytes);
      at += std::ssize(bytes);
    });
    for (const Placed& one : placed_) {
      TACIT_CHECK(&one >= &placed_[format_.sections().size()] || one.next == one.at + one.bytes);
      archive.add_placed(one.member, static_cast<std::uint64_t>(one.bytes), one.checksum);
      TACIT_CHECK(at == one.at);
      at += one.bytes;
    }
    archive.finish();
  }
  file_.commit();
}

}  // namespace tacit::gnn
