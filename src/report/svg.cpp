#include <fmt/format.h>

#include <cmath>

#include "report/page_text.h"
#include "report/vector_image.h"

namespace rondo::report {
namespace {

/// Removes control characters, which XML does not allow.
std::string svg_text(const std::string& text) {
  std::string out = markup_text(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return out;
}

/// Two decimals are a hundredth of a point.
std::string svg_number(double value) { return fmt::format("{:g}", std::round(value * 100) / 100); }

std::string svg_colour(const Colour& colour) {
  const auto byte = [](double share) { return static_cast<int>(std::lround(share * 255)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(colour.red), byte(colour.green), byte(colour.blue));
}

std::string svg_paint(double width, const Colour& stroke, bool filled, const Colour& fill) {
  std::string out = fmt::format(" fill=\"{}\"", filled ? svg_colour(fill) : "none");
  if (width > 0) out += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", svg_colour(stroke), svg_number(width));
  return out;
}

struct SvgShape {
  std::string& out;

  void operator()(const Polyline& line) const {
    std::string points;
    for (const Position& point : line.points) {
      points += fmt::format("{}{},{}", points.empty() ? "" : " ", svg_number(point.x), svg_number(point.y));
    }
    out += fmt::format("<{} points=\"{}\"{}", line.filled ? "polygon" : "polyline", points,
                       svg_paint(line.width, line.stroke, line.filled, line.fill));
    std::string dash;
    for (const double length : line.dash) dash += (dash.empty() ? "" : " ") + svg_number(length);
    if (!dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", dash);
    out += "/>\n";
  }
  void operator()(const Disc& disc) const {
    out +=
        fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", svg_number(disc.centre.x), svg_number(disc.centre.y),
                    svg_number(disc.radius), svg_paint(disc.width, disc.stroke, disc.filled, disc.fill));
  }
  void operator()(const Words& words) const {
    constexpr const char* kAnchors[] = {"start", "middle", "end"};
    const std::string x = svg_number(words.at.x);
    const std::string y = svg_number(words.at.y);
    out +=
        fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"{}{}>{}</text>\n", x, y,
                    svg_number(words.size), kAnchors[static_cast<unsigned>(words.anchor)], svg_colour(words.colour),
                    words.bold ? " font-weight=\"bold\"" : "",
                    words.upwards ? fmt::format(" transform=\"rotate(-90 {} {})\"", x, y) : "", svg_text(words.text));
  }
};

}  // namespace

std::string to_svg(const VectorImage& image) {
  const std::string width = svg_number(image.width);
  const std::string height = svg_number(image.height);
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<title>{2}</title>\n",
      width, height, svg_text(image.title));
  for (const auto& shape : image.shapes) std::visit(SvgShape{out}, shape);
  return out + "</svg>\n";
}

}  // namespace rondo::report
