// SPDX-License-Identifier: Apache-2.0
// What there is to choose from: languages, engines, report formats. Applications see the driver
// and not the layers below it; this is where they get the lists.
#pragma once

#include "engine/engines.h"
#include "frontend/languages.h"
#include "report/json_document.h"
#include "report/report.h"
