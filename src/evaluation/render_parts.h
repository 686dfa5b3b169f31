#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Helpers of the renderers.
namespace rondo::evaluation {

/// "-" if the value is undefined.
inline std::string number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

/// The shortest text that reads back as the same value; empty if undefined.
inline std::string full_number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// A p-value as papers print it: four digits without the zero, "<.0001" below that.
inline std::string p_text(double p) {
  if (std::isnan(p)) return "-";
  if (p < 0.0001) return "<.0001";
  const std::string text = fmt::format("{:.4f}", p);
  return text.starts_with("0.") ? text.substr(1) : text;
}

inline nlohmann::json json_number(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

/// A line of a comma-separated file (RFC 4180).
inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) out += ',';
    const bool plain = field.find_first_of(",\"\r\n") == std::string::npos;
    if (!plain) out += '"';
    for (const char c : field) {
      out += c;
      if (c == '"') out += '"';
    }
    if (!plain) out += '"';
  }
  out += '\n';
  return out;
}

}  // namespace rondo::evaluation
