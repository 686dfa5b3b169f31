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

/// Every curve that is defined on this truth, the mean of each system as a line; and of every measure the means with
/// their intervals. Lines are told apart by dashes and marks, not by colour alone. Errors: those of
/// `evaluation::compare`.
[[nodiscard]] Result<std::vector<Figure>> evaluation_figures(std::span<const SystemResult> systems,
                                                             const evaluation::CompareOptions& options);

/// The means of a comparison, a line for each system.
[[nodiscard]] Figure means_figure(const evaluation::Comparison& comparison);

/// The table of each query as the paper has it, one line a candidate: median, group, id and names; ranks as box and
/// whiskers; the tests against every candidate above as squares; a rule at each border. Staves are in the page of the
/// tables alone. `complete`: every candidate, not only those a little beyond the last border.
[[nodiscard]] std::vector<Figure> study_figures(const study::Study& study, const study::Analysis& analysis,
                                                const study::GroupingOptions& options, bool complete);

/// Writes NAME.svg and NAME.pdf of each into a folder, which is made if it is not there. Error `file-unwritable`.
[[nodiscard]] Result<void> write_figures(std::span<const Figure> figures, const std::string& folder);

}  // namespace rondo::report
