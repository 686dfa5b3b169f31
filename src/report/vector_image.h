#pragma once

#include <string>
#include <variant>
#include <vector>

/// Figures of lines, areas and words, and the two forms in which a paper takes them.
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
  std::vector<double> dash{};  ///< lengths of dashes and gaps in turn; empty: solid
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
  bool upwards = false;  ///< turned by a quarter, as beside a vertical axis
  Colour colour{};
};

/// Lengths are points (1/72 inch), from the upper left corner. What comes later lies above.
struct VectorImage {
  double width = 0;
  double height = 0;
  std::string title{};
  std::vector<std::variant<Polyline, Disc, Words>> shapes{};
};

/// One SVG file; words stay words, in a sans serif font of the reader's machine.
[[nodiscard]] std::string to_svg(const VectorImage& image);

/// One PDF page (PDF 1.4) as large as the image, in Helvetica, which every reader has and which is not part of the
/// file. Latin letters outside Windows-1252 lose their accents, others become question marks.
[[nodiscard]] std::string to_pdf(const VectorImage& image);

/// How wide a text is in Helvetica of that size; accented letters as wide as most letters.
[[nodiscard]] double text_width(const std::string& text, double size);
/// The text, or as much of its beginning as fits, with an ellipsis.
[[nodiscard]] std::string fitted_text(const std::string& text, double size, double width);

}  // namespace rondo::report
