#include "launcher/serve/request_text.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "gnn/data/class_names.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostShown = 60;

std::string expected(std::string_view what) {
  return fmt::format("expected {{\"{}s\": [3, 5]}}, a list of {}s", what, what);
}

std::string shown(const Json& value) {
  return net::printable(value.dump(-1, ' ', true, Json::error_handler_t::replace), kMostShown);
}

// Refuses a request while it is parsed: deep values would exhaust the stack when they are written, and many keys take a
// time that is quadratic in their number.
class OnlyAList {
 public:
  explicit OnlyAList(std::string_view what) : what_(what) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& found) {
    using Event = Json::parse_event_t;
    if (event == Event::key) expect_key(found.get_ref<const std::string&>());
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth == 0 && event != Event::object_start) {
      throw BadRequest(fmt::format("the request is no JSON object; {}", expected(what_)));
    }
    if (opens && depth == 1 && event != Event::array_start) {
      throw BadRequest(fmt::format("\"{}s\" is no list; {}", what_, expected(what_)));
    }
    if (opens && depth > 1) {
      throw BadRequest(fmt::format("a {} is a {}, neither a whole number nor an id; {}", what_,
                                   event == Event::array_start ? "list" : "JSON object", expected(what_)));
    }
    return true;
  }

 private:
  void expect_key(const std::string& key) {
    if (key != fmt::format("{}s", what_)) {
      throw BadRequest(
          fmt::format("the request has the unknown key \"{}\"; {}", net::printable(key, kMostShown), expected(what_)));
    }
    if (has_nodes_) throw BadRequest(fmt::format("the request has \"{}s\" twice; {}", what_, expected(what_)));
    has_nodes_ = true;
  }

  std::string_view what_;
  bool has_nodes_ = false;
};

const Json& list_in(const Json& request, std::string_view what) {
  if (!request.is_object()) throw BadRequest(fmt::format("the request is no JSON object; {}", expected(what)));
  const std::string key = fmt::format("{}s", what);
  const auto found = request.find(key);
  if (found == request.end()) throw BadRequest(fmt::format("the request has no key \"{}\"; {}", key, expected(what)));
  if (!found->is_array() || found->empty()) {
    throw BadRequest(fmt::format("\"{}\" is {}; {}", key, found->is_array() ? "empty" : "no list", expected(what)));
  }
  return *found;
}

std::int64_t node_in(const Json& value, const NodeNames& names) {
  const std::string_view what = names.what();
  if (value.is_string()) {
    const std::string& id = value.get_ref<const std::string&>();
    if (!names.has_ids()) {
      throw BadRequest(fmt::format(
          "the {} {} is named by an id, and this rank's data have no ids: name it by its number", what, shown(value)));
    }
    if (const std::optional<std::int64_t> node = names.node_of(id)) return *node;
    throw BadRequest(fmt::format("the {} {} is no id in this rank's part of the data", what, shown(value)));
  }
  const bool whole = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!whole && !value.is_number_integer()) {
    throw BadRequest(fmt::format("the {} {} is neither a whole number nor an id", what, shown(value)));
  }
  const bool known = whole && value.get<std::uint64_t>() < static_cast<std::uint64_t>(names.nodes());
  if (known) return value.get<std::int64_t>();
  throw BadRequest(
      fmt::format("there is no {} {}: the data have {}s 0 ... {}", what, shown(value), what, names.nodes() - 1));
}

Json row_in(const gnn::Matrix& values, Eigen::Index row, bool classes) {
  Json list = Json::array();
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    classes ? list.push_back(std::llround(values(row, c))) : list.push_back(values(row, c));
  }
  return list;
}

// Adds the names of the classes with these numbers: one, or a list.
void add_class_names(const Json& numbers, std::span<const std::string> class_names, Json& answer) {
  Json named = Json::array();
  for (const Json& number : numbers) named.push_back(gnn::name_of_class(class_names, number.get<std::int64_t>()));
  named.size() == 1 ? answer["class_name"] = named[0] : answer["class_names"] = named;
}

}  // namespace

gnn::Rows nodes_in_request(std::string_view text, const NodeNames& names) {
  if (std::ssize(text) > kMostOfRequest) {
    throw BadRequest(
        fmt::format("the request has more than {} bytes: ask for fewer {}s at a time", kMostOfRequest, names.what()),
        413);
  }
  const Json request = Json::parse(
      text,
      [only = OnlyAList(names.what())](int depth, Json::parse_event_t event, Json& found) mutable {
        return only(depth, event, found);
      },
      false);
  const bool cut = text.find('\0') != std::string_view::npos;  // the library would take a zero byte for the end
  if (request.is_discarded() || cut)
    throw BadRequest(fmt::format("the request is not JSON; {}", expected(names.what())));
  gnn::Rows nodes;
  std::unordered_set<std::int64_t> seen;
  for (const Json& value : list_in(request, names.what())) {
    nodes.push_back(node_in(value, names));
    if (!seen.insert(nodes.back()).second) {
      throw BadRequest(
          fmt::format("the {} {} is named twice: name each {} once", names.what(), shown(value), names.what()));
    }
  }
  return nodes;
}

Json answer_text(const gnn::Rows& nodes, const gnn::Predictions& predictions, bool classes, const NodeNames& names,
                 std::span<const std::string> class_names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Json one = {{std::string(names.what()), nodes[i]}};
    if (const std::string id = names.id_of(nodes[i]); !id.empty()) one["id"] = id;
    if (const auto ends = names.ends_of(nodes[i])) {
      one["from"] = ends->first;
      one["to"] = ends->second;
    }
    if (predictions.values) {
      const Json values = row_in(*predictions.values, row, classes);
      const bool single = values.size() == 1;
      one[classes ? (single ? "class" : "classes") : (single ? "value" : "values")] = single ? values[0] : values;
      if (!class_names.empty()) add_class_names(values, class_names, one);
    }
    if (predictions.probabilities) one["probabilities"] = row_in(*predictions.probabilities, row, false);
    list.push_back(std::move(one));
  }
  return {{"predictions", std::move(list)}};
}

}  // namespace tacit::launcher
