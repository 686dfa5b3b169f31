#include <filesystem>

#include "base/output_file.h"
#include "report/figures.h"

namespace rondo::report {
Result<void> write_figures(std::span<const Figure> figures, const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    return fail("file-unwritable", "the folder cannot be made: " + problem.message(), Place{folder, {}, {}, 0, 0});
  }
  for (const Figure& figure : figures) {
    const std::filesystem::path path = std::filesystem::path(folder) / figure.name;
    if (auto done = write_output(path.string() + ".svg", to_svg(figure.image)); !done) return done;
    if (auto done = write_output(path.string() + ".pdf", to_pdf(figure.image)); !done) return done;
  }
  return {};
}

}  // namespace rondo::report
