#include <fmt/format.h>

#include <cmath>

#include "report/figure_text.h"
#include "report/vector_image.h"

namespace rondo::report {
namespace {

std::string pdf_number(double value) {
  std::string out = fmt::format("{:.2f}", value);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

/// A text as a literal string of PDF.
std::string pdf_string(const std::string& text) {
  std::string out = "(";
  for (const char c : to_windows_1252(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '(' || c == ')' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x7F) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + ")";
}

/// The operators of a page's content. PDF measures from the lower left corner.
class PdfContent {
 public:
  explicit PdfContent(double height) : height_(height) {}

  void operator()(const Polyline& line) {
    if (line.points.empty() || (line.width <= 0 && !line.filled)) return;
    paint(line.width, line.stroke, line.filled, line.fill);
    std::string dash;
    for (const double length : line.dash) dash += (dash.empty() ? "" : " ") + pdf_number(length);
    out_ += fmt::format("[{}] 0 d\n", dash);
    const char* verb = "m";
    for (const Position& point : line.points) {
      out_ += fmt::format("{} {} {}\n", pdf_number(point.x), y(point.y), verb);
      verb = "l";
    }
    out_ += line.filled ? (line.width > 0 ? "b\n" : "f\n") : "S\n";
  }
  void operator()(const Disc& disc) {
    if (disc.width <= 0 && !disc.filled) return;
    paint(disc.width, disc.stroke, disc.filled, disc.fill);
    // Approximates a quarter of a circle by a cubic Bézier curve: 4/3 (sqrt(2) - 1).
    const double r = disc.radius;
    const double k = 0.5522847498 * r;
    const auto [cx, cy] = disc.centre;
    out_ += fmt::format("[] 0 d\n{} {} m\n", pdf_number(cx + r), y(cy));
    const auto curve = [&](double x1, double y1, double x2, double y2, double x3, double y3) {
      out_ += fmt::format("{} {} {} {} {} {} c\n", pdf_number(cx + x1), y(cy + y1), pdf_number(cx + x2), y(cy + y2),
                          pdf_number(cx + x3), y(cy + y3));
    };
    curve(r, k, k, r, 0, r);
    curve(-k, r, -r, k, -r, 0);
    curve(-r, -k, -k, -r, 0, -r);
    curve(k, -r, r, -k, r, 0);
    out_ += disc.filled ? (disc.width > 0 ? "b\n" : "f\n") : "s\n";
  }
  void operator()(const Words& words) {
    const double width = text_width(words.text, words.size);
    const double back = words.anchor == Anchor::start ? 0 : words.anchor == Anchor::middle ? width / 2 : width;
    const double left = words.at.x - (words.upwards ? 0 : back);
    const double base = words.at.y + (words.upwards ? back : 0);
    out_ += fmt::format("BT\n{} rg\n/F{} {} Tf\n{} {} {} Tm\n{} Tj\nET\n", colour(words.colour), words.bold ? 2 : 1,
                        pdf_number(words.size), words.upwards ? "0 1 -1 0" : "1 0 0 1", pdf_number(left), y(base),
                        pdf_string(words.text));
  }

  [[nodiscard]] const std::string& text() const { return out_; }

 private:
  [[nodiscard]] std::string y(double from_above) const { return pdf_number(height_ - from_above); }
  static std::string colour(const Colour& colour) {
    return fmt::format("{:.3f} {:.3f} {:.3f}", colour.red, colour.green, colour.blue);
  }
  void paint(double width, const Colour& stroke, bool filled, const Colour& fill) {
    if (width > 0) out_ += fmt::format("{} RG\n{} w\n", colour(stroke), pdf_number(width));
    if (filled) out_ += fmt::format("{} rg\n", colour(fill));
  }

  double height_;
  std::string out_ = "1 j\n";
};

/// The objects of a file, and where each begins.
class PdfFile {
 public:
  void add(const std::string& object) {
    begins_.push_back(bytes_.size());
    bytes_ += fmt::format("{} 0 obj\n{}\nendobj\n", begins_.size(), object);
  }
  [[nodiscard]] std::string finish() {
    const std::size_t table = bytes_.size();
    bytes_ += fmt::format("xref\n0 {}\n0000000000 65535 f \n", begins_.size() + 1);
    for (const std::size_t begin : begins_) bytes_ += fmt::format("{:010} 00000 n \n", begin);
    bytes_ += fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info 7 0 R >>\nstartxref\n{}\n%%EOF\n", begins_.size() + 1,
                          table);
    return std::move(bytes_);
  }

 private:
  std::string bytes_ = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
  std::vector<std::size_t> begins_;
};

}  // namespace

std::string to_pdf(const VectorImage& image) {
  PdfContent content(image.height);
  for (const auto& shape : image.shapes) std::visit(content, shape);
  PdfFile file;
  file.add("<< /Type /Catalog /Pages 2 0 R >>");
  file.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  file.add(
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents 4 0 R "
                  "/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
                  pdf_number(image.width), pdf_number(image.height)));
  file.add(fmt::format("<< /Length {} >>\nstream\n{}endstream", content.text().size(), content.text()));
  for (const char* font : {"Helvetica", "Helvetica-Bold"}) {
    file.add(fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>", font));
  }
  file.add(fmt::format("<< /Title {} /Producer (Rondo) >>", pdf_string(image.title)));
  return file.finish();
}

}  // namespace rondo::report
