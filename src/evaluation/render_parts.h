#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What the renderers share.
namespace rondo::evaluation {

/// "-" where a value is not defined.
inline std::string number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

/// All digits that are needed to read the value back; nothing where it is not defined.
inline std::string full_number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

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

/// A name that occurs again gets a number: "splines", "splines (2)".
inline std::vector<std::string> distinct(std::vector<std::string> names) {
  std::map<std::string, int> seen;
  for (std::string& name : names) {
    const int times = ++seen[name];
    if (times > 1) name = fmt::format("{} ({})", name, times);
  }
  return names;
}

}  // namespace rondo::evaluation
