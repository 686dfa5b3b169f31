#pragma once

#include <string>
#include <vector>

#include "study/studies.h"

/// What the sources of `rondo study` share.
namespace rondo::cli {

struct StudyArguments {
  std::string db;
  std::string name;
  std::vector<std::string> sets;
  std::string title;
  std::string instructions;  ///< a file
  std::string consent;       ///< a file
  bool ties = false;
  bool plant_query = false;
  bool simulated = false;
  std::string seed;
  std::size_t count = 0;
  std::vector<std::string> labels;
  std::vector<std::int64_t> again;
  bool end = false;
  std::int64_t participant = 0;
  std::string reason;
  std::string file;
  std::string study;
  std::string format;
  std::vector<std::string> keep;
  std::vector<std::string> drop;
  std::vector<std::string> undecide;
  bool drop_undecided = false;
};

/// For the audit log.
inline constexpr std::string_view kWho = "command line";

int study_status(const StudyArguments& options);
int study_export(const StudyArguments& options);
int study_import(const StudyArguments& options);
int study_pick(const StudyArguments& options);

}  // namespace rondo::cli
