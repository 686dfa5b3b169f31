#include "rondo/base/result.h"

namespace rondo {

std::string Place::to_string() const {
  std::string out = file;
  const auto part = [&out](const std::string& text) {
    if (!out.empty()) out += ": ";
    out += text;
  };
  if (!record.empty()) part("record " + record);
  if (!field.empty()) part(field);
  if (line != 0 && column != 0) {
    part("line " + std::to_string(line) + ", column " + std::to_string(column));
  } else if (line != 0) {
    part("line " + std::to_string(line));
  } else if (column != 0) {
    part("column " + std::to_string(column));
  }
  return out;
}

std::string Diagnostic::to_string() const {
  std::string out = place.to_string();
  if (!out.empty()) out += ": ";
  out += message;
  if (!code.empty()) out += " [" + code + "]";
  if (!hint.empty()) out += " (" + hint + ")";
  return out;
}

}  // namespace rondo
