// Requests by number and by id, and the answers to them. serve_test.py has the refusals as a client sees them.
#include "launcher/serve/request_text.h"

#include <gmock/gmock.h>

#include <chrono>

#include "gnn/data/class_names.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Ids of the nodes 2 ... 4 of 8, as an owner of rows has them.
NodeNames names_of_rows() {
  gnn::GraphData part;
  part.nodes = 8;
  part.own_rows = gnn::NodeRange{2, 3};
  part.ids = {{"North", "east  1", "3"}};
  return NodeNames(part, 8);
}

std::string refusal_of(std::string_view request, const NodeNames& names) {
  try {
    nodes_in_request(request, names);
  } catch (const BadRequest& bad) {
    return bad.what();
  }
  return "";
}

TEST(RequestText, NamesNodesByNumberAndById) {
  const NodeNames names = names_of_rows();
  EXPECT_THAT(nodes_in_request(R"({"nodes": [7, "north", " EAST 1", "3", 0]})", names), ElementsAre(7, 2, 3, 4, 0));
  EXPECT_THAT(refusal_of(R"({"nodes": ["south"]})", names), HasSubstr("\"south\" is no id in this rank's part"));
  EXPECT_THAT(refusal_of(R"({"nodes": [2, "north"]})", names), HasSubstr("\"north\" is named twice"));
  EXPECT_THAT(refusal_of("{\"nodes\": [\"\xff\"]}", names), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal_of(std::string("{\"nodes\": [1]}\0", 15), names), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal_of(std::string("{\"nodes\": [1]}\0 more", 20), names), HasSubstr("is not JSON"));
  EXPECT_THAT(refusal_of(R"({"nodes": ["a\u0301"]})", names), HasSubstr("is no id"));
  EXPECT_THAT(refusal_of(R"({"nodes": [8]})", names), HasSubstr("there is no node 8: the data have nodes 0 ... 7"));
}

TEST(RequestText, NamesGraphsByNumberWhereTheyArePredicted) {
  gnn::GraphData part;
  part.nodes = 4;
  part.graphs = {0, 0, 1, 1};
  part.ids = {{"a", "b", "c", "d"}};
  const NodeNames names(part, 2);
  EXPECT_THAT(nodes_in_request(R"({"graphs": [1, 0]})", names), ElementsAre(1, 0));
  EXPECT_THAT(refusal_of(R"({"graphs": [2]})", names), HasSubstr("there is no graph 2: the data have graphs 0 ... 1"));
  EXPECT_THAT(refusal_of(R"({"graphs": ["a"]})", names), HasSubstr("this rank's data have no ids"));
  EXPECT_THAT(refusal_of(R"({"nodes": [1]})", names), HasSubstr("expected {\"graphs\": [3, 5]}"));
  gnn::Predictions told;
  told.values = mpc::Matrix::Constant(1, 1, 2);
  EXPECT_EQ(answer_text({1}, told, true, names).dump(), R"({"predictions":[{"graph":1,"class":2}]})");
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Requests of the largest length: a deep value, and many keys, which would take half a minute to parse.
TEST(RequestText, RefusesDeepValuesAndManyKeysAtOnce) {
  const NodeNames names = names_of_rows();
  constexpr int kDeep = 500'000;
  for (const std::string& deep : {repeated("[", kDeep), repeated("[", kDeep) + repeated("]", kDeep)}) {
    EXPECT_THAT(refusal_of(deep, names), HasSubstr("the request is no JSON object"));
  }
  const std::string lists = "{\"nodes\": " + repeated("[", kDeep) + repeated("]", kDeep) + "}";
  EXPECT_THAT(refusal_of(lists, names), HasSubstr("a node is a list, neither a whole number nor an id"));
  const std::string objects = "{\"nodes\": [1, " + repeated("{\"a\":", kDeep / 5);
  EXPECT_THAT(refusal_of(objects, names), HasSubstr("a node is a JSON object"));
  EXPECT_THAT(refusal_of(R"({"nodes": {"nodes": [1]}})", names), HasSubstr("\"nodes\" is no list"));
  EXPECT_THAT(refusal_of(R"({"nodes": [1], "nodes": [2]})", names), HasSubstr("\"nodes\" twice"));
  std::string keys = "{\"k\":0";
  for (int i = 0; i < 100'000; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal_of(keys + "}", names), HasSubstr("the unknown key \"k\""));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
}

TEST(RequestText, AWordThatCanBeNoIdIsNone) {
  const NodeNames names = names_of_rows();
  EXPECT_FALSE(names.node_of("\xff"));
  EXPECT_FALSE(names.node_of(""));
  EXPECT_FALSE(names.node_of(std::string(300, 'x')));
  EXPECT_EQ(names.id_of(1), "");
  EXPECT_EQ(names.id_of(2), "North");
  EXPECT_EQ(names.id_of(5), "");
}

TEST(RequestText, AnswersInTheOrderOfTheRequest) {
  gnn::Predictions predictions;
  predictions.values = (gnn::Matrix(2, 1) << 1.5, -2).finished();
  EXPECT_EQ(answer_text({7, 2}, predictions, false, names_of_rows()).dump(),
            R"({"predictions":[{"node":7,"value":1.5},{"node":2,"id":"North","value":-2.0}]})");
  predictions.values = (gnn::Matrix(2, 2) << 1, 0, 2, 1).finished();
  predictions.probabilities = (gnn::Matrix(2, 3) << 0.25, 0.5, 0.25, 0, 0.25, 0.75).finished();
  EXPECT_EQ(answer_text({7, 1}, predictions, true, names_of_rows()).dump(),
            R"({"predictions":[{"node":7,"classes":[1,0],"probabilities":[0.25,0.5,0.25]},)"
            R"({"node":1,"classes":[2,1],"probabilities":[0.0,0.25,0.75]}]})");
  predictions.values = (gnn::Matrix(2, 1) << 1, 2).finished();
  predictions.probabilities.reset();
  EXPECT_EQ(answer_text({7, 1}, predictions, true, names_of_rows()).dump(),
            R"({"predictions":[{"node":7,"class":1},{"node":1,"class":2}]})");
}

TEST(RequestText, AnswersWithTheNamesOfClassesBesideTheirNumbers) {
  const gnn::ClassNames classes = {"licit", "fraud", "a \"third\""};
  gnn::Predictions predictions;
  predictions.values = (gnn::Matrix(2, 1) << 1, 2).finished();
  EXPECT_EQ(answer_text({7, 1}, predictions, true, names_of_rows(), classes).dump(),
            R"({"predictions":[{"node":7,"class":1,"class_name":"fraud"},)"
            R"({"node":1,"class":2,"class_name":"a \"third\""}]})");
  predictions.values = (gnn::Matrix(1, 2) << 1, 0).finished();
  EXPECT_EQ(answer_text({7}, predictions, true, names_of_rows(), classes).dump(),
            R"({"predictions":[{"node":7,"classes":[1,0],"class_names":["fraud","licit"]}]})");
}

}  // namespace
}  // namespace tacit::launcher
