#include "gnn/data/class_names.h"

#include <gmock/gmock.h>

#include <fstream>

#include "gnn/data/graph_csv.h"
#include "gnn/data/graph_npz.h"
#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

const ClassNames kClasses = {"licit", "fraud", "not sure, ask"};

GraphData read_table(std::string_view nodes, const ClassNames& names) {
  const MemorySource file("nodes.csv", std::as_bytes(std::span(nodes)));
  return read_graph_csv(file, nullptr, {.class_names = names});
}

GraphData read_array(const std::vector<std::string>& y, const ClassNames& names) {
  const TemporaryFolder folder;
  write_npz(folder.path() / "a.npz", {{"y", {}, y}});
  return read_graph_npz(Npz(folder.path() / "a.npz"), {.class_names = names});
}

TEST(ClassNames, OfTheJobAreReadFromFilesBesideNumbers) {
  EXPECT_THAT(read_table("x0,class\n1,fraud\n1, licit \n1,\"not sure, ask\"\n1,\n1,1\n1,2.0\n1,-1\n", kClasses).classes,
              Optional(ElementsAre(1, 0, 2, -1, 1, 2, -1)));
  EXPECT_THAT(read_array({"fraud", "", "licit", "0", "nan", "not sure, ask"}, kClasses).classes,
              Optional(ElementsAre(1, -1, 0, 0, -1, 2)));
}

TEST(ClassNames, ThatAreUnknownAreToldToTheirOwnerAlone) {
  for (const char* wrong : {"fruad", "Fraud", "3", "1.5"}) {
    const std::string text = wrong;
    const auto of_csv = [&] { read_table("x0,class\n1,licit\n1," + text + "\n", kClasses); };
    EXPECT_THAT(refusal(of_csv), AllOf(HasSubstr("line 3, column \"class\""), HasSubstr("licit, fraud, not sure, ask"),
                                       HasSubstr("0 ... 2"), Not(HasSubstr("\"" + text))));
    EXPECT_THAT(local_detail_of(of_csv), HasSubstr(text));
    const auto of_npz = [&] { read_array({"licit", text}, kClasses); };
    EXPECT_THAT(refusal(of_npz), AllOf(HasSubstr("y: row 1: expected one of the job's classes (licit, fraud"),
                                       Not(HasSubstr("\"" + text))));
    EXPECT_THAT(local_detail_of(of_npz), HasSubstr(text));
  }
}

TEST(ClassNames, AreAskedForWhereAFileHasThemAndTheJobHasNone) {
  EXPECT_THAT(refusal([] { read_table("x0,class\n1,fraud\n", {}); }), HasSubstr("data.class_names"));
  EXPECT_THAT(refusal([] { read_array({"fraud"}, {}); }), HasSubstr("data.class_names"));
}

// The column y has targets, with any content.
TEST(ClassNames, StandInTheColumnClass) {
  EXPECT_THAT(refusal([] { read_table("x0,y\n1,fraud\n", kClasses); }), HasSubstr("call the column class"));
}

TEST(ClassNames, AreTextThatNoFileCanMeanOtherwise) {
  const auto refused = [](const ClassNames& names) { return refusal([&] { check_class_names(names); }); };
  EXPECT_EQ(refused(kClasses), "accepted");
  EXPECT_EQ(refused({"ja", "nein", "vielleicht später"}), "accepted");
  for (const char* number : {"7", "7.0", "-1", "nan", "NaN"}) {
    EXPECT_THAT(refused({"a", number}), HasSubstr("the name of class 1 is")) << number;
  }
  EXPECT_THAT(refused({"a", "b", "a"}), HasSubstr("classes 0 and 2 have the same name, \"a\""));
  EXPECT_THAT(refused({"a", " b"}), HasSubstr("single spaces"));
  EXPECT_THAT(refused({"a", "b  c"}), HasSubstr("single spaces"));
  for (const std::string& wrong : {std::string(), std::string("a\nb"), std::string("a\tb"), std::string("\xff"),
                                   std::string("e\xcc\x81"), std::string(101, 'x')}) {
    EXPECT_THAT(refused({wrong, "b"}), HasSubstr("the name of class 0 is")) << wrong;
  }
  EXPECT_EQ(refused({std::string(100, 'x'), "b"}), "accepted");
}

TEST(ClassNames, AreFoundAndListed) {
  EXPECT_THAT(class_named(kClasses, "fraud"), Optional(1));
  EXPECT_FALSE(class_named(kClasses, "Fraud"));
  EXPECT_EQ(name_of_class(kClasses, 1), "fraud");
  EXPECT_EQ(name_of_class({}, 1), "1");
  ClassNames many;
  for (int i = 0; i < 30; ++i) many.push_back("c" + std::to_string(i));
  EXPECT_THAT(list_of(many), AllOf(HasSubstr("c19 and 10 more"), Not(HasSubstr("c20"))));
}

}  // namespace
}  // namespace tacit::gnn
