#include "gnn/data/npy.h"

#include <gmock/gmock.h>

#include <cmath>

#include "gnn/data/npy_header.h"
#include "tests/gnn/data/raw_zip.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NpyArray read_npy(const std::string& npy) {
  return NpzText(RawZip({stored_member("x.npy", npy)}).text()).open().read("x");
}

std::string npy(std::string_view descr, bool fortran, std::string_view shape, std::string_view values) {
  return raw_npy(raw_npy_dict(descr, fortran, shape), values);
}

constexpr std::string_view kOneToSix("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0", 24);

TEST(Npy, IsReadInEveryVersion) {
  for (const int major : {1, 2, 3}) {
    const NpyArray array = read_npy(raw_npy(raw_npy_dict("<i4", false, "(2, 3)"), kOneToSix, major));
    EXPECT_THAT(array.shape, ElementsAre(2, 3));
    EXPECT_THAT(std::get<std::vector<std::int32_t>>(array.values), ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST(Npy, OfColumnsComesRowAfterRow) {
  const NpyArray array = read_npy(npy("<i4", true, "(2, 3)", kOneToSix));
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(array.values), ElementsAre(1, 3, 5, 2, 4, 6));
}

TEST(Npy, OfThreeDimensionsMayBeInEitherOrder) {
  const NpyArray rows = read_npy(npy("<i4", false, "(1, 3, 2)", kOneToSix));
  EXPECT_THAT(rows.shape, ElementsAre(1, 3, 2));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(rows.values), ElementsAre(1, 2, 3, 4, 5, 6));
  const NpyArray columns = read_npy(npy("<i4", true, "(3, 1, 2)", kOneToSix));
  EXPECT_THAT(std::get<std::vector<std::int32_t>>(columns.values), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(Npy, MayBeBigEndian) {
  EXPECT_THAT(
      std::get<std::vector<std::int32_t>>(read_npy(npy(">i4", false, "(2,)", {"\0\0\0\1\xff\xff\xff\xfe", 8})).values),
      ElementsAre(1, -2));
  EXPECT_THAT(std::get<std::vector<float>>(read_npy(npy(">f4", false, "(1,)", {"\x3f\xc0\0\0", 4})).values),
              ElementsAre(1.5f));
  EXPECT_THAT(std::get<std::vector<double>>(read_npy(npy(">f8", true, "(1, 1)", {"\xbf\xf8\0\0\0\0\0\0", 8})).values),
              ElementsAre(-1.5));
}

TEST(Npy, MayHoldOneValueOrNone) {
  const NpyArray one = read_npy(npy("|u1", false, "()", "\7"));
  EXPECT_TRUE(one.shape.empty());
  EXPECT_THAT(std::get<std::vector<std::uint8_t>>(one.values), ElementsAre(7));
  EXPECT_THAT(read_npy(npy("<f8", true, "(0, 1000000)", "")).shape, ElementsAre(0, 1'000'000));
}

TEST(Npy, HeaderMayBeWrittenOtherwise) {
  for (const std::string_view dict : {"{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\"<i4\"}",
                                      "{ 'fortran_order' : False , 'descr' : '<i4' , 'shape' : ( 2 , 3 , ) , }   \n"}) {
    EXPECT_THAT(read_npy(raw_npy(dict, kOneToSix)).shape, ElementsAre(2, 3));
  }
}

TEST(Npy, PreambleIsAsNumPyWritesIt) {
  EXPECT_EQ(npy_preamble(NpyType::kFloat32, {2, 3}), std::string("\x93NUMPY\1\0\x76\0", 10) +
                                                         "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" +
                                                         std::string(58, ' ') + "\n");
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {7}, {1'000'000'000, 1'000'000'000}}) {
    EXPECT_EQ(npy_preamble(NpyType::kBool, shape).size() % 64, 0u);
  }
}

struct HostileNpy {
  const char* name;
  std::string npy;
  const char* said;
};

HostileNpy dict(const char* name, std::string_view text, const char* said) { return {name, raw_npy(text, ""), said}; }

class RefusedNpy : public testing::TestWithParam<HostileNpy> {};

INSTANTIATE_TEST_SUITE_P(
    Files, RefusedNpy,
    testing::Values(
        HostileNpy{"Empty", "", "it is no .npy, or cut short"},
        HostileNpy{"Text", "hello, world", "it does not begin as a .npy"},
        HostileNpy{"Version4", raw_npy(raw_npy_dict("<f4", false, "()"), "1234", 4), "version 4.0 of the format"},
        HostileNpy{"Version1_1", raw_npy(raw_npy_dict("<f4", false, "()"), "1234", 1, 1), "version 1.1 of the format"},
        HostileNpy{"LengthCutOff", std::string("\x93NUMPY\2\0\1\0", 10), "it is no .npy, or cut short"},
        HostileNpy{"HeaderCutOff", npy("<f4", false, "()", "").substr(0, 40), "it is no .npy, or cut short"},
        HostileNpy{"HugeHeader", std::string("\x93NUMPY\2\0\xff\xff\xff\x7f", 12),
                   "a header of 2147483647 bytes; at most"},
        HostileNpy{"ValuesMissing", npy("<i4", false, "(2, 3)", kOneToSix.substr(1)),
                   "23 bytes for values of 24 bytes"},
        HostileNpy{"ValuesLeftOver", npy("<i4", false, "(5,)", kOneToSix), "24 bytes for values of 20 bytes"},
        HostileNpy{"HugeButNotThere", npy("<f8", false, "(1000000000,)", ""), "0 bytes for values of 8000000000 bytes"},
        HostileNpy{"TwoIsNoBool", npy("|b1", false, "(3,)", {"\0\1\2", 3}), "element 2 is neither False nor True"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Types, RefusedNpy,
    testing::Values(
        HostileNpy{"Objects", npy("|O", false, "(1,)", "x"), "object arrays are refused"},
        HostileNpy{"Structured", raw_npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "1234"),
                   "it is a structured array"},
        HostileNpy{"Half", npy("<f2", false, "(1,)", "12"), "its dtype is '<f2'; expected one of bool, uint8, int32"},
        HostileNpy{"Complex", npy("<c8", false, "(1,)", "12345678"), "its dtype is '<c8'"},
        HostileNpy{"Text", npy("<U4", false, "(1,)", "1234567812345678"), "its dtype is '<U4'"},
        HostileNpy{"Unordered", npy("|f4", false, "(1,)", "1234"), "its dtype is '|f4'"},
        HostileNpy{"Nothing", npy("", false, "(1,)", "1234"), "its dtype is ''"},
        HostileNpy{"Unprintable", npy("<\x1b[2J", false, "(1,)", "1234"), "its dtype is '<\\x1b[2J'"}),
    [](const auto& tested) { return tested.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Headers, RefusedNpy,
    testing::Values(
        dict("None", "", "character 0: expected {"), dict("NoEnd", "{'descr': '<f4', ", "expected a string"),
        dict("NoDescr", "{'fortran_order': False, 'shape': (1,)}", "it lacks a key"),
        dict("NoOrder", "{'descr': '<f4', 'shape': (1,)}", "it lacks a key"),
        dict("NoShape", "{'descr': '<f4', 'fortran_order': False}", "it lacks a key"),
        dict("KeyTwice", "{'shape': (1,), 'shape': (2,)}", "'shape' is there twice"),
        dict("OtherKey", "{'colour': 1}", "'colour' is no key of it"),
        dict("CommaMissing", "{'shape': (1,) 'descr': '<f4'}", "character 15: expected , or }"),
        dict("ColonMissing", "{'shape' (1,)}", "character 9: expected :"),
        dict("QuoteMissing", "{'shape", "expected a plain string"),
        dict("Escape", "{'sh\\x61pe': (1,)}", "expected a plain string"),
        dict("OrderIsNumber", "{'fortran_order': 0}", "expected True or False"),
        dict("DescrIsNumber", "{'descr': 4}", "expected a string"), dict("ShapeIsNumber", "{'shape': 4}", "expected ("),
        dict("ShapeIsNoTuple", "{'shape': (4)}", "expected ,"),
        dict("ShapeIsText", "{'shape': (x,)}", "expected a number of elements"),
        dict("NegativeExtent", "{'shape': (-1,)}", "expected a number of elements"),
        dict("ShapeNoEnd", "{'shape': (1, 2", "expected ,"),
        dict("FourDimensions", "{'shape': (1, 2, 3, 4)}", "more than 3 dimensions"),
        dict("ExtentTooLarge", "{'shape': (1073741825, 0)}", "more than 1073741824 elements along a dimension"),
        dict("ExtentOverflows", "{'shape': (99999999999999999999,)}",
             "more than 1073741824 elements along a dimension"),
        dict("ProductOverflows", "{'shape': (1073741824, 1073741824)}",
             "1073741824 x 1073741824 elements; at most 1073741824"),
        dict("Program", "{'descr': __import__('os')}", "expected a string"),
        dict("Continued", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} or 1", "expected its end")),
    [](const auto& tested) { return tested.param.name; });

TEST_P(RefusedNpy, NamesFileArrayAndPlace) {
  const std::string message = refusal([] { read_npy(GetParam().npy); });
  EXPECT_THAT(message, testing::StartsWith("a.npz: x: "));
  EXPECT_THAT(message, HasSubstr(GetParam().said));
}

}  // namespace
}  // namespace tacit::gnn
