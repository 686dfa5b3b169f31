#pragma once

#include <string>
#include <variant>
#include <vector>

/// Vector graphics, with output as SVG and PDF.
namespace rondo::report {

struct Colour {
  double red = 0;
  double green = 0;
  double blue = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

struct Position {
  double x = 0;
  double y = 0;
};

/// A line through points. Without a width there is no stroke.
struct Polyline {
  std::vector<Position> points{};
  double width = 0;
  Colour stroke{};
  std::vector<double> dash{};  ///< alternating lengths of dashes and gaps; empty: solid
  bool filled = false;         ///< the area within, closed
  Colour fill{};
};

struct Disc {
  Position centre{};
  double radius = 1;
  double width = 0;
  Colour stroke{};
  bool filled = true;
  Colour fill{};
};

enum class Anchor : unsigned char { start, middle, end };

struct Words {
  Position at{};  ///< on the base line
  std::string text{};
  double size = 9;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upwards = false;  ///< rotated by 90 degrees, as beside a vertical axis
  Colour colour{};
};

/// Lengths are points (1/72 inch), from the upper left corner. Later elements are drawn on top.
struct VectorImage {
  double width = 0;
  double height = 0;
  std::string title{};
  std::vector<std::variant<Polyline, Disc, Words>> shapes{};
};

/// One SVG file; text remains text, in a sans-serif font of the viewer.
[[nodiscard]] std::string to_svg(const VectorImage& image);

/// One PDF page (PDF 1.4) as large as the image, in Helvetica, which every viewer has and which is not embedded. Latin
/// letters outside Windows-1252 lose their accents, others become question marks.
[[nodiscard]] std::string to_pdf(const VectorImage& image);

/// Width of a text in Helvetica of that size; accented letters get an average width.
[[nodiscard]] double text_width(const std::string& text, double size);
/// The text, or as much of its beginning as fits, with an ellipsis.
[[nodiscard]] std::string fitted_text(const std::string& text, double size, double width);

}  // namespace rondo::report
