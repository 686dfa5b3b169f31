#include "store/import_report.h"

namespace rondo {
namespace {

void append_field(std::string& line, std::string_view value) {
  if (!line.empty()) line += ',';
  if (value.find_first_of("\",\r\n") == std::string_view::npos) {
    line += value;
    return;
  }
  line += '"';
  for (const char c : value) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

std::string number(std::uint32_t value) { return value == 0 ? std::string() : std::to_string(value); }

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::warning: return "warning";
    case Severity::skipped: return "skipped";
    case Severity::failed: break;
  }
  return "failed";
}

Result<ImportReport> ImportReport::open(const std::filesystem::path& path) {
  ImportReport report;
  if (path.empty()) return report;
  report.path_ = path;
  report.out_.open(path, std::ios::binary | std::ios::trunc);
  report.out_ << "severity,code,file,record,field,line,column,message,hint\r\n";
  if (auto done = report.flush(); !done) return fail(std::move(done.error()));
  return report;
}

void ImportReport::add(Severity severity, const Diagnostic& problem) {
  if (path_.empty()) return;
  line_.clear();
  append_field(line_, severity_name(severity));
  for (const std::string_view part : {std::string_view(problem.code), std::string_view(problem.place.file),
                                      std::string_view(problem.place.record), std::string_view(problem.place.field)}) {
    append_field(line_, part);
  }
  append_field(line_, number(problem.place.line));
  append_field(line_, number(problem.place.column));
  append_field(line_, problem.message);
  append_field(line_, problem.hint);
  out_ << line_ << "\r\n";
}

Result<void> ImportReport::flush() {
  if (path_.empty()) return {};
  out_.flush();
  if (out_.good()) return {};
  Place place;
  place.file = path_.string();
  return fail("report-unwritable", "the report cannot be written", std::move(place),
              "check the folder, its permissions and the room on the disk");
}

}  // namespace rondo
