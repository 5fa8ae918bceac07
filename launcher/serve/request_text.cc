#include "launcher/serve/request_text.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_set>

#include "gnn/data/class_names.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostShown = 60;
constexpr const char* kExpected = R"(expected {"nodes": [3, 5]}, a list of nodes)";

std::string shown(const Json& value) {
  return net::printable(value.dump(-1, ' ', true, Json::error_handler_t::replace), kMostShown);
}

// Refuses a request while it is parsed: deep values would exhaust the stack when they are written, and many keys take a
// time that is quadratic in their number.
class OnlyAList {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& found) {
    using Event = Json::parse_event_t;
    if (event == Event::key) expect_key(found.get_ref<const std::string&>());
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth == 0 && event != Event::object_start) {
      throw BadRequest(fmt::format("the request is no JSON object; {}", kExpected));
    }
    if (opens && depth == 1 && event != Event::array_start) {
      throw BadRequest(fmt::format("\"nodes\" is no list; {}", kExpected));
    }
    if (opens && depth > 1) {
      throw BadRequest(fmt::format("a node is a {}, neither a whole number nor an id; {}",
                                   event == Event::array_start ? "list" : "JSON object", kExpected));
    }
    return true;
  }

 private:
  void expect_key(const std::string& key) {
    if (key != "nodes") {
      throw BadRequest(
          fmt::format("the request has the unknown key \"{}\"; {}", net::printable(key, kMostShown), kExpected));
    }
    if (has_nodes_) throw BadRequest(fmt::format("the request has \"nodes\" twice; {}", kExpected));
    has_nodes_ = true;
  }

  bool has_nodes_ = false;
};

const Json& list_in(const Json& request) {
  if (!request.is_object()) throw BadRequest(fmt::format("the request is no JSON object; {}", kExpected));
  const auto found = request.find("nodes");
  if (found == request.end()) throw BadRequest(fmt::format("the request has no key \"nodes\"; {}", kExpected));
  if (!found->is_array() || found->empty()) {
    throw BadRequest(fmt::format("\"nodes\" is {}; {}", found->is_array() ? "empty" : "no list", kExpected));
  }
  return *found;
}

std::int64_t node_in(const Json& value, const NodeNames& names) {
  if (value.is_string()) {
    const std::string& id = value.get_ref<const std::string&>();
    if (!names.has_ids()) {
      throw BadRequest(fmt::format(
          "the node {} is named by an id, and this rank's data have no ids: name it by its number", shown(value)));
    }
    if (const std::optional<std::int64_t> node = names.node_of(id)) return *node;
    throw BadRequest(fmt::format("the node {} is no id in this rank's part of the data", shown(value)));
  }
  const bool whole = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (!whole && !value.is_number_integer()) {
    throw BadRequest(fmt::format("the node {} is neither a whole number nor an id", shown(value)));
  }
  const bool known = whole && value.get<std::uint64_t>() < static_cast<std::uint64_t>(names.nodes());
  if (known) return value.get<std::int64_t>();
  throw BadRequest(fmt::format("there is no node {}: the data have nodes 0 ... {}", shown(value), names.nodes() - 1));
}

Json row_in(const gnn::Matrix& values, Eigen::Index row, bool classes) {
  Json list = Json::array();
  for (Eigen::Index c = 0; c < values.cols(); ++c) {
    classes ? list.push_back(std::llround(values(row, c))) : list.push_back(values(row, c));
  }
  return list;
}

// The names of these classes: one, or a list.
void add_class_names(const Json& numbers, std::span<const std::string> class_names, Json& answer) {
  Json named = Json::array();
  for (const Json& number : numbers) named.push_back(gnn::name_of_class(class_names, number.get<std::int64_t>()));
  named.size() == 1 ? answer["class_name"] = named[0] : answer["class_names"] = named;
}

}  // namespace

gnn::Rows nodes_in_request(std::string_view text, const NodeNames& names) {
  if (std::ssize(text) > kMostOfRequest) {
    throw BadRequest(fmt::format("the request has more than {} bytes: ask for fewer nodes at a time", kMostOfRequest),
                     413);
  }
  const Json request = Json::parse(
      text,
      [only = OnlyAList()](int depth, Json::parse_event_t event, Json& found) mutable {
        return only(depth, event, found);
      },
      false);
  if (request.is_discarded()) throw BadRequest(fmt::format("the request is not JSON; {}", kExpected));
  gnn::Rows nodes;
  std::unordered_set<std::int64_t> seen;
  for (const Json& value : list_in(request)) {
    nodes.push_back(node_in(value, names));
    if (!seen.insert(nodes.back()).second) {
      throw BadRequest(fmt::format("the node {} is named twice: name each node once", shown(value)));
    }
  }
  return nodes;
}

Json answer_text(const gnn::Rows& nodes, const gnn::Predictions& predictions, bool classes, const NodeNames& names,
                 std::span<const std::string> class_names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Json one = {{"node", nodes[i]}};
    if (const std::string id = names.id_of(nodes[i]); !id.empty()) one["id"] = id;
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
