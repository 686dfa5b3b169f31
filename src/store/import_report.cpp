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

/// An import has its own code for it.
Failure named_unwritable(Error error) {
  if (error.code != "output-refused") error.code = "report-unwritable";
  return fail(std::move(error));
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
  auto file = OutputFile::open(path);
  if (!file) return named_unwritable(std::move(file.error()));
  report.out_.emplace(std::move(*file));
  report.out_->stream() << "severity,code,file,record,field,line,column,message,hint\r\n";
  if (auto done = report.flush(); !done) return fail(std::move(done.error()));
  return report;
}

void ImportReport::add(Severity severity, const Diagnostic& problem) {
  if (!out_) return;
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
  out_->stream() << line_ << "\r\n";
}

Result<void> ImportReport::flush() {
  if (!out_) return {};
  auto done = out_->flush();
  return done ? std::move(done) : named_unwritable(std::move(done.error()));
}

Result<void> ImportReport::finish() {
  if (!out_) return {};
  auto done = out_->commit();
  return done ? std::move(done) : named_unwritable(std::move(done.error()));
}

}  // namespace rondo
