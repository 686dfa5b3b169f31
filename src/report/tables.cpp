#include "report/tables.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/bundle.h"
#include "report/page_text.h"
#include "study/results.h"

namespace rondo::report {

Result<std::string> tables_page(const study::Study& study, const study::Analysis& analysis,
                                const study::GroupingOptions& options, bool complete) {
  if (auto there = available(tables_bundle()); !there) return fail(std::move(there.error()));
  auto data = study::results_json(study, analysis, options);
  if (!data) return fail(std::move(data.error()));
  (*data)["complete"] = complete;
  const std::string& title = study.settings.title.empty() ? study.settings.name : study.settings.title;
  return page_text(tables_bundle(), fmt::format("{}{}", title, study.settings.simulated ? " (simulated votes)" : ""),
                   *data);
}

}  // namespace rondo::report
