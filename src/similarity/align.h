#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/interrupt.h"
#include "rondo/similarity/system.h"

/// Sequence alignment with linear gaps, shared by the systems that align n-grams (similarity.md, section 1).
///
/// A Model compares one query with one document and gives the score of each step: Value pair(i, j), Value gap_query(i)
/// (element i of the query is unmatched), Value gap_document(j), bool same(i, j) for the explanation.
namespace rondo {

/// The best score before normalisation, in memory linear in the document. `row` is scratch space.
template <typename Value, typename Model>
Value align(const Model& model, std::size_t rows, std::size_t columns, Aligner kind, std::vector<Value>& row) {
  row.resize(columns + 1);
  row[0] = Value{};
  for (std::size_t j = 1; j <= columns; ++j) {
    row[j] = kind == Aligner::local ? Value{} : row[j - 1] + model.gap_document(j - 1);
  }
  Value best = kind == Aligner::local ? Value{} : std::numeric_limits<Value>::lowest();
  const bool is_long = rows * columns > kStepsWithoutInterrupt;
  for (std::size_t i = 1; i <= rows; ++i) {
    if (is_long && interrupted()) break;
    const Value gap = model.gap_query(i - 1);
    Value corner = row[0];
    row[0] = kind == Aligner::local ? Value{} : row[0] + gap;
    for (std::size_t j = 1; j <= columns; ++j) {
      Value cell = std::max({corner + model.pair(i - 1, j - 1), row[j] + gap, row[j - 1] + model.gap_document(j - 1)});
      if (kind == Aligner::local) cell = std::max(cell, Value{});
      corner = row[j];
      row[j] = cell;
      best = std::max(best, cell);
    }
  }
  return kind == Aligner::global ? row[columns] : best;
}

/// The same with the whole table and the traceback. The reference for `align`. Spans are n-gram indices; of several
/// alignments with the best score, the one that pairs latest is returned.
template <typename Value, typename Model>
Value align_explained(const Model& model, std::size_t rows, std::size_t columns, Aligner kind, std::vector<Step>& steps,
                      double unit) {
  const std::size_t width = columns + 1;
  std::vector<Value> table((rows + 1) * width, Value{});
  const auto cell = [&](std::size_t i, std::size_t j) -> Value& { return table[i * width + j]; };
  if (kind != Aligner::local) {
    for (std::size_t j = 1; j <= columns; ++j) cell(0, j) = cell(0, j - 1) + model.gap_document(j - 1);
    for (std::size_t i = 1; i <= rows; ++i) cell(i, 0) = cell(i - 1, 0) + model.gap_query(i - 1);
  }
  std::size_t end_i = 0;
  std::size_t end_j = 0;
  bool found = kind == Aligner::local;
  for (std::size_t i = 1; i <= rows; ++i) {
    for (std::size_t j = 1; j <= columns; ++j) {
      Value value = std::max({cell(i - 1, j - 1) + model.pair(i - 1, j - 1), cell(i - 1, j) + model.gap_query(i - 1),
                              cell(i, j - 1) + model.gap_document(j - 1)});
      if (kind == Aligner::local) value = std::max(value, Value{});
      cell(i, j) = value;
      if (!found || value > cell(end_i, end_j)) {
        found = true;
        end_i = i;
        end_j = j;
      }
    }
  }
  if (kind == Aligner::global) {
    end_i = rows;
    end_j = columns;
  }
  const auto at = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  const Value best = cell(end_i, end_j);
  steps.clear();
  std::size_t i = end_i;
  std::size_t j = end_j;
  while (i > 0 || j > 0) {
    if (kind == Aligner::local && cell(i, j) == Value{}) break;
    Step step;
    if (i > 0 && j > 0 && cell(i, j) == cell(i - 1, j - 1) + model.pair(i - 1, j - 1)) {
      --i;
      --j;
      step.kind = model.same(i, j) ? Step::Kind::match : Step::Kind::mismatch;
      step.query = {at(i), at(i) + 1};
      step.document = {at(j), at(j) + 1};
      step.score = static_cast<double>(model.pair(i, j)) * unit;
    } else if (i > 0 && (j == 0 || cell(i, j) == cell(i - 1, j) + model.gap_query(i - 1))) {
      --i;
      step.kind = Step::Kind::gap_in_document;
      step.query = {at(i), at(i) + 1};
      step.score = static_cast<double>(model.gap_query(i)) * unit;
    } else {
      --j;
      step.kind = Step::Kind::gap_in_query;
      step.document = {at(j), at(j) + 1};
      step.score = static_cast<double>(model.gap_document(j)) * unit;
    }
    steps.push_back(step);
  }
  std::reverse(steps.begin(), steps.end());
  return best;
}

}  // namespace rondo
