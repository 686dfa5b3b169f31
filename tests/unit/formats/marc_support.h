#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Builds MARC records for tests, in both forms, from one description.
namespace marc_test {

struct Part {
  char code;
  std::string text;
};
struct Row {
  std::string tag;
  std::string control;  ///< text of a control field
  std::vector<Part> parts;
};
using Rows = std::vector<Row>;

inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

inline std::string xml_record(const Rows& rows) {
  std::string out = "<record>\n  <leader>00000cdd a2200000   4500</leader>\n";
  for (const Row& row : rows) {
    if (row.parts.empty()) {
      out += "  <controlfield tag=\"" + row.tag + "\">" + escaped(row.control) + "</controlfield>\n";
      continue;
    }
    out += "  <datafield tag=\"" + row.tag + "\" ind1=\" \" ind2=\" \">\n";
    for (const Part& part : row.parts) {
      out += std::string("    <subfield code=\"") + part.code + "\">" + escaped(part.text) + "</subfield>\n";
    }
    out += "  </datafield>\n";
  }
  return out + "</record>\n";
}

inline std::string xml_file(const std::string& records) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n" +
         records + "</collection>\n";
}

inline std::string digits(std::size_t value, int width) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*zu", width, value);
  return text;
}

/// A record of ISO 2709 with its terminator; `coding` is leader/09, 'a' for UTF-8.
inline std::string binary_record(const Rows& rows, char coding = 'a') {
  std::string directory;
  std::string data;
  for (const Row& row : rows) {
    const std::size_t start = data.size();
    if (row.parts.empty()) {
      data += row.control;
    } else {
      data += "  ";
      for (const Part& part : row.parts) data += std::string("\x1F") + part.code + part.text;
    }
    data += '\x1E';
    directory += row.tag + digits(data.size() - start, 4) + digits(start, 5);
  }
  const std::size_t base = 24 + directory.size() + 1;
  const std::size_t length = base + data.size() + 1;
  return digits(length, 5) + "cdm " + coding + "22" + digits(base, 5) + "   4500" + directory + '\x1E' + data + '\x1D';
}

/// The example of the Library of Congress for field 031.
inline Row loc_example() {
  return {"031",
          "",
          {{'a', "a"},
           {'b', "01"},
           {'c', "02"},
           {'m', "S"},
           {'e', "Sara"},
           {'d', "Scena. Largo"},
           {'g', "C-1"},
           {'n', "bBEA"},
           {'o', "c"},
           {'p', "=5/4-''6C3CC6DEgF6CC8-6ED/q8D4C8C'nB''4D-/2-/"},
           {'2', "pe"}}};
}

inline Row incipit(const std::string& a, const std::string& b, const std::string& c, const std::string& notation) {
  return {"031", "", {{'a', a}, {'b', b}, {'c', c}, {'g', "G-2"}, {'o', "4/4"}, {'p', notation}, {'2', "pe"}}};
}

}  // namespace marc_test
