// Figures as SVG and PDF.

#include "report/vector_image.h"

#include <gmock/gmock.h>

#include <regex>

namespace {

using rondo::report::Anchor;
using rondo::report::Disc;
using rondo::report::Polyline;
using rondo::report::VectorImage;
using rondo::report::Words;
using testing::HasSubstr;
using testing::Not;

VectorImage small_image() {
  VectorImage image{.width = 100, .height = 50, .title = "A (small) figure"};
  image.shapes.emplace_back(
      Polyline{.points = {{10, 10}, {90, 40}}, .width = 1.5, .stroke = {1, 0, 0}, .dash = {4, 2}});
  image.shapes.emplace_back(Polyline{.points = {{1, 1}, {2, 1}, {2, 2}}, .filled = true, .fill = {0, 0, 1}});
  image.shapes.emplace_back(Disc{.centre = {50, 25}, .radius = 4});
  image.shapes.emplace_back(
      Words{.at = {50, 20}, .text = "Dvo\u0159\u00e1k \u266f<\\(1)>", .size = 10, .anchor = Anchor::middle});
  return image;
}

TEST(VectorImage, AsSvgHasShapesDashesAndEscapedWords) {
  const std::string svg = to_svg(small_image());
  EXPECT_THAT(svg, HasSubstr("width=\"100pt\" height=\"50pt\" viewBox=\"0 0 100 50\""));
  EXPECT_THAT(svg, HasSubstr("<polyline points=\"10,10 90,40\" fill=\"none\" stroke=\"#ff0000\" stroke-width=\"1.5\" "
                             "stroke-dasharray=\"4 2\"/>"));
  EXPECT_THAT(svg, HasSubstr("<polygon points=\"1,1 2,1 2,2\" fill=\"#0000ff\"/>"));
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"50\" cy=\"25\" r=\"4\""));
  EXPECT_THAT(svg, HasSubstr("Dvo\u0159\u00e1k \u266f&lt;\\(1)&gt;</text>"));
}

TEST(VectorImage, AsPdfKnowsWhereItsObjectsAre) {
  const std::string pdf = to_pdf(small_image());
  ASSERT_TRUE(pdf.starts_with("%PDF-1.4\n"));
  ASSERT_TRUE(pdf.ends_with("%%EOF\n"));
  std::smatch found;
  ASSERT_TRUE(std::regex_search(pdf, found, std::regex("startxref\n(\\d+)\n")));
  const std::size_t table = std::stoul(found[1]);
  ASSERT_EQ(pdf.substr(table, 5), "xref\n");
  // A line of the table has twenty bytes; the first, of object 0, is free.
  std::size_t line = pdf.find('\n', table + 5) + 1;
  std::size_t objects = 0;
  for (line += 20; pdf[line] != 't'; line += 20) {
    const std::size_t begin = std::stoul(pdf.substr(line, 10));
    EXPECT_TRUE(pdf.substr(begin).starts_with(std::to_string(++objects) + " 0 obj\n"));
  }
  EXPECT_EQ(objects, 7U);
  ASSERT_TRUE(std::regex_search(pdf, found, std::regex("/Length (\\d+) >>\nstream\n")));
  const auto content = static_cast<std::size_t>(found.position() + found.length());
  EXPECT_EQ(pdf.substr(content + std::stoul(found[1]), 9), "endstream");
  EXPECT_THAT(pdf, HasSubstr("/MediaBox [0 0 100 50]"));
}

TEST(VectorImage, AsPdfIsMeasuredFromBelowAndInWindows1252) {
  const std::string pdf = to_pdf(small_image());
  EXPECT_THAT(pdf, HasSubstr("[4 2] 0 d\n10 40 m\n90 10 l\nS\n"));
  EXPECT_THAT(pdf, HasSubstr("(Dvor\\341k ?<\\\\\\(1\\)>) Tj"));
  EXPECT_THAT(pdf, Not(HasSubstr("nan")));
}

TEST(VectorImage, WidthsAreHelveticas) {
  // 556 for a digit, 278 for a full stop and 833 for an m, in thousandths.
  EXPECT_DOUBLE_EQ(rondo::report::text_width("0.5m", 10), (556 + 278 + 556 + 833) / 100.0);
  EXPECT_EQ(rondo::report::fitted_text("short", 10, 100), "short");
  const std::string cut = rondo::report::fitted_text("Symphony in \u00e9 with a long title", 10, 60);
  EXPECT_TRUE(cut.ends_with("\u2026")) << cut;
  EXPECT_LE(rondo::report::text_width(cut, 10), 60);
}

}  // namespace
