#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "binding.h"
#include "features/features.h"
#include "rondo/melody/piece.h"

namespace rondo::python {

/// Features of many voices, column by column; each column is what numpy or a list of texts will hold.
class FeatureColumns {
 public:
  /// Every voice of the piece becomes a row.
  void add(const Piece& piece);
  /// A dict that pandas takes as it is.
  [[nodiscard]] py::dict finish() &&;

 private:
  void append(const Features& features);

  using Values = std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;
  std::vector<std::string> id_;
  std::vector<std::int64_t> voice_;
  std::vector<std::pair<const char*, Values>> columns_;  ///< in the order of each_column
};

}  // namespace rondo::python
