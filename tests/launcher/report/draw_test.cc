#include "launcher/report/draw.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/launcher/report/well_formed.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using Stroke = Series::Stroke;
using Scale = LineFigure::Scale;

// No text lies on another, or beyond the picture.
std::string misplaced(const Canvas& canvas) {
  const auto& texts = canvas.texts();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Canvas::Box& a = texts[i];
    const bool inside = a.left >= 0 && a.top >= 0 && a.right <= canvas.width() && a.bottom <= canvas.height();
    if (!inside) return fmt::format("\"{}\" is cut: {} ... {}", a.text, a.left, a.right);
    for (std::size_t j = i + 1; j < texts.size(); ++j) {
      const Canvas::Box& b = texts[j];
      if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) {
        return fmt::format("\"{}\" lies on \"{}\"", a.text, b.text);
      }
    }
  }
  return "";
}

LineFigure lines(int series, int epochs, double size, Quantity quantity, Scale scale,
                 const std::string& name = "rank ") {
  LineFigure figure = {"name", "A title of usual length", quantity, scale, {}};
  for (int i = 0; i < series; ++i) {
    Series one = {fmt::format("{}{}", name, i), {}, i, Stroke::kSolid};
    for (int epoch = 1; epoch <= epochs; ++epoch) one.points.push_back({1.0 * epoch, size * (i + 1) / (1 + epoch % 9)});
    figure.series.push_back(std::move(one));
  }
  return figure;
}

TEST(Draw, NoTextLiesOnAnotherHoweverManyLinesEpochsAndDigits) {
  for (const int series : {1, 3, 9}) {
    for (const int epochs : {1, 2, 7, 200, 99'999, 200'000}) {
      if (series * epochs > 300'000) continue;
      for (const double size : {0.0, 1e-9, 0.013, 1.0, 98765.4, 1.2e10}) {
        for (const Quantity quantity : {Quantity::kNumber, Quantity::kCount, Quantity::kBytes, Quantity::kSeconds}) {
          if (epochs > 1000 && quantity != Quantity::kSeconds) continue;
          for (const Scale scale : {Scale::kFromZero, Scale::kFitting, Scale::kLogarithmic}) {
            const Canvas canvas = draw(lines(series, epochs, size, quantity, scale), "a");
            EXPECT_EQ(misplaced(canvas), "") << series << " lines, " << epochs << " epochs, " << size;
          }
        }
      }
    }
  }
}

TEST(Draw, LongNamesAreCutAndStayApart) {
  const std::string hostile =
      "<script>alert(1)</script> \"'& 城城城城城城城城城城城城城城城城城城城城城城城城城城城城城城城城 ";
  Canvas canvas = draw(lines(5, 20, 1, Quantity::kNumber, Scale::kFitting, hostile), "a");
  EXPECT_EQ(misplaced(canvas), "");
  const std::string svg = canvas.take();
  EXPECT_EQ(what_is_wrong_with(svg), "");
  EXPECT_THAT(svg, testing::Not(HasSubstr("<script")));
}

TEST(Draw, BarsHaveRoomForNamesAndValues) {
  for (const double size : {1.0, 1e6, 7.77e12}) {
    BarFigure figure = {"name", "Cost", Quantity::kBytes, {"between the parties", "from the dealer"}, {}};
    for (int i = 0; i < 20; ++i) {
      figure.bars.push_back({i == 3 ? "a name that is much longer than it should be" : fmt::format("bar {}", i),
                             {size * i, size * (20 - i)}});
    }
    Canvas canvas = draw(figure, "a");
    EXPECT_EQ(misplaced(canvas), "");
    EXPECT_EQ(what_is_wrong_with(canvas.take()), "");
  }
}

TEST(Draw, WithoutPointsSaysSo) {
  Canvas empty = draw(lines(2, 0, 1, Quantity::kNumber, Scale::kFitting), "a");
  EXPECT_EQ(misplaced(empty), "");
  EXPECT_THAT(empty.take(), HasSubstr("nothing has told of this"));
  EXPECT_THAT(draw(BarFigure{"a", "A", Quantity::kCount, {}, {}}, "a").take(), HasSubstr("nothing to show yet"));
}

TEST(Draw, TellsThoseWhoDoNotSeeItWhatItShows) {
  const std::string svg = draw(lines(1, 3, 12, Quantity::kBytes, Scale::kFromZero), "f7").take();
  EXPECT_THAT(svg, HasSubstr("role=\"img\" aria-labelledby=\"f7-title f7-description\""));
  EXPECT_THAT(svg, HasSubstr("<title id=\"f7-title\">A title of usual length</title>"));
  EXPECT_THAT(svg, HasSubstr("rank 0: 6 B in epoch 1, 3 B in epoch 3"));
}

TEST(Draw, AnEpochThatCostsManyTimesTheOthersLeavesTheFigureAndIsTold) {
  LineFigure figure = {"a", "A", Quantity::kBytes, Scale::kFromZero, {{"rank 0", {}, 0, Stroke::kSolid}}};
  for (int epoch = 1; epoch <= 200; ++epoch) figure.series[0].points.push_back({1.0 * epoch, epoch == 1 ? 1.2e6 : 1e5});
  Canvas canvas = draw(figure, "a");
  EXPECT_EQ(misplaced(canvas), "");
  EXPECT_THAT(canvas.take(), HasSubstr("1.200 MB in epoch 1</text>"));
  for (int epoch = 1; epoch <= 200; epoch += 3) {  // peaks all over
    figure.series[0].points[static_cast<std::size_t>(epoch) - 1].y =
        epoch == 151 ? 2e6 : 1e5 + (epoch % 12 == 1 ? 1e6 : 0);
    EXPECT_EQ(misplaced(draw(figure, "a")), "");
  }
  figure.series[0].points[0].y = 1.2e6;
  figure.series[0].points.resize(20);
  EXPECT_THAT(draw(figure, "a").take(), testing::Not(HasSubstr("1.200 MB in epoch 1</text>")))
      << "of few, all are shown";
}

TEST(Draw, WordsAboutAPeakStandAboveThePlotAndHideNoLine) {
  LineFigure figure = {"a", "A", Quantity::kBytes, Scale::kFromZero, {{"rank 0", {}, 0, Stroke::kSolid}}};
  for (int epoch = 1; epoch <= 200; ++epoch) figure.series[0].points.push_back({1.0 * epoch, epoch == 1 ? 1.2e6 : 1e5});
  Canvas canvas = draw(figure, "a");
  const auto words = std::find_if(canvas.texts().begin(), canvas.texts().end(),
                                  [](const Canvas::Box& box) { return box.text == "1.200 MB in epoch 1"; });
  ASSERT_NE(words, canvas.texts().end());
  const std::string svg = canvas.take();
  const auto grid = svg.find("class=\"grid\"");
  ASSERT_NE(grid, std::string::npos);
  double top = 1e9;  // of the plot: its highest line
  for (std::size_t at = svg.find("y1=\""); at != std::string::npos; at = svg.find("y1=\"", at + 1)) {
    if (svg.find("class=\"grid\"", at) - at < 60) top = std::min(top, std::stod(svg.substr(at + 4)));
  }
  EXPECT_LT(words->bottom, top);
}

TEST(Draw, TwoThousandEpochsAreAMedianInABandAndNotABlock) {
  LineFigure figure = {"a", "A", Quantity::kBytes, Scale::kFromZero, {{"rank 0", {}, 3, Stroke::kSolid}}};
  for (int epoch = 1; epoch <= 2000; ++epoch) figure.series[0].points.push_back({1.0 * epoch, 100.0 + epoch % 50});
  Canvas canvas = draw(figure, "a");
  EXPECT_EQ(misplaced(canvas), "");
  const std::string svg = canvas.take();
  EXPECT_THAT(svg, HasSubstr("class=\"band f3\""));
  EXPECT_THAT(svg, HasSubstr("epoch (median of 20, shaded: least to most)"));
  const std::size_t curve = svg.find("class=\"curve s3\"");
  ASSERT_NE(curve, std::string::npos);
  const std::size_t last = svg.rfind("class=\"curve s3\""), path = svg.rfind("<path d=\"", last);
  EXPECT_EQ(
      std::count(svg.begin() + static_cast<std::ptrdiff_t>(path), svg.begin() + static_cast<std::ptrdiff_t>(last), 'L'),
      99)
      << "a hundred points";
}

TEST(Draw, AFileOfItsOwnHasItsStyleAndNothingFromElsewhere) {
  const std::string svg = standalone(draw(lines(2, 5, 1, Quantity::kNumber, Scale::kFitting), "a").take());
  EXPECT_EQ(what_is_wrong_with(svg), "");
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(svg, testing::Not(testing::AnyOf(HasSubstr("href"), HasSubstr("url("), HasSubstr("@import"))));
}

}  // namespace
}  // namespace tacit::launcher
