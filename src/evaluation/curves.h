#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rondo/evaluation/evaluate.h"

namespace rondo::evaluation {

struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

using Points = std::vector<Point>;

/// r_1 ... r_k of average dynamic recall (Typke, Veltkamp, Wiering 2006, section 3): the share of the documents that
/// could have been found by position i that were found. Beyond the end of the truth these are all relevant documents,
/// and r_i still divides by i. k = 0 means the length of the truth.
[[nodiscard]] std::vector<double> dynamic_recalls(const JudgedList& list, std::size_t k = 0);

/// (recall, precision) after each relevant document found.
[[nodiscard]] Points precision_recall(const JudgedList& list);
/// Precision at recall 0, 0.1 ... 1: the best at that recall or beyond, 0 where it is not reached.
[[nodiscard]] Points interpolated_precision(const JudgedList& list);
/// (fallout, recall) at each rank, from (0, 0). Needs the collection's size.
[[nodiscard]] std::optional<Points> roc(const JudgedList& list);
/// (share of the collection read, relevant documents found) at each rank, from (0, 0). Needs the collection's size.
[[nodiscard]] std::optional<Points> lift(const JudgedList& list);
/// The cover song paper's Normalized Lift Curve: (share of the answer read, share of the relevant documents found).
[[nodiscard]] Points normalized_lift(const JudgedList& list);
/// (position, dynamic recall), as in Typke, Veltkamp, Wiering 2006, figure 1.
[[nodiscard]] Points dynamic_recall_curve(const JudgedList& list);

struct Curve {
  std::string name;
  Points points;
};

/// One row of the table of curves.
struct CurveKind {
  std::string_view name;
  std::string_view title;
  std::string_view x_label;
  std::string_view y_label;
  std::optional<Points> (*points)(const JudgedList& list);
  Points (*mean)(std::span<const JudgedList> lists, std::span<const Curve> curves);
};

/// precision-recall, precision-recall-11, roc, lift, normalized-lift, dynamic-recall.
[[nodiscard]] std::span<const CurveKind> all_curves();
[[nodiscard]] const CurveKind* find_curve(std::string_view name);

/// A curve of every query and their mean.
struct CurveSet {
  const CurveKind* kind = nullptr;
  std::vector<Curve> queries;
  Points mean;
};

/// Error curve-collection-size if the curve needs the collection's size and it is unknown.
[[nodiscard]] Result<CurveSet> draw(const CurveKind& kind, const JudgedRun& run);

}  // namespace rondo::evaluation
