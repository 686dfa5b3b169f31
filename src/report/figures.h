#pragma once

#include <span>
#include <string>
#include <vector>

#include "evaluation/compare.h"
#include "report/evaluation.h"
#include "report/vector_image.h"
#include "study/analysis.h"

/// Figures for papers, each as SVG and PDF.
namespace rondo::report {

struct Figure {
  std::string name;  ///< of its files, without extension
  VectorImage image;
};

/// Every curve that is defined on this truth, with the mean of each system as a line; and for every measure the means
/// with their intervals. Lines differ in dashes and marks, not only in colour. Errors: those of `evaluation::compare`.
[[nodiscard]] Result<std::vector<Figure>> evaluation_figures(std::span<const SystemResult> systems,
                                                             const evaluation::CompareOptions& options);

/// The means of a comparison, a line for each system.
[[nodiscard]] Figure means_figure(const evaluation::Comparison& comparison);

/// The table of each query as in the paper, one line per candidate: median, group, id and names; ranks as a box plot;
/// the tests against every candidate above as squares; a rule between groups. Only the page of the tables has staves.
/// `complete`: every candidate, not only those up to a little after the last group.
[[nodiscard]] std::vector<Figure> study_figures(const study::Study& study, const study::Analysis& analysis,
                                                const study::GroupingOptions& options, bool complete);

/// Writes NAME.svg and NAME.pdf of each into a folder, which is created if necessary. Errors:
/// `file-unwritable` for the folder, those of write_output for a figure.
[[nodiscard]] Result<void> write_figures(std::span<const Figure> figures, const std::string& folder);

}  // namespace rondo::report
