# SPDX-License-Identifier: GPL-2.0-only
# External engines for the installed fio: finds and configures fio's source and
# gives add_fio_engine().  Without the source engines are left out, nothing else.

set(FIO_SOURCE_DIR "" CACHE PATH
	"Source of the installed fio; empty: where scripts/fetch-fio-source puts it")
find_program(FIO_EXECUTABLE fio DOC "The fio that the engines are tested in")
set(engine_install_dir ${CMAKE_INSTALL_LIBDIR}/fio-review)

function(fio_installed_release result)
	set(release "")
	if(FIO_EXECUTABLE)
		execute_process(COMMAND ${FIO_EXECUTABLE} --version
			OUTPUT_VARIABLE release OUTPUT_STRIP_TRAILING_WHITESPACE
			ERROR_QUIET)
	endif()
	set(${result} "${release}" PARENT_SCOPE)
endfunction()

# What a fio made from this tree calls itself: as its build recorded it, as a
# release tarball says, or the default.
function(fio_tree_release tree result)
	set(release "")
	if(EXISTS ${tree}/FIO-VERSION-FILE)
		file(STRINGS ${tree}/FIO-VERSION-FILE release LIMIT_COUNT 1)
	elseif(EXISTS ${tree}/version)
		file(STRINGS ${tree}/version release LIMIT_COUNT 1)
	elseif(EXISTS ${tree}/FIO-VERSION-GEN)
		file(STRINGS ${tree}/FIO-VERSION-GEN release REGEX "^DEF_VER=")
	endif()
	if(release MATCHES "(fio-[0-9][^ \"]*)")
		set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
	else()
		set(${result} "" PARENT_SCOPE)
	endif()
endfunction()

# Runs fio's configure out of the tree, once per tree, release and compiler.
function(fio_configure tree release directory result)
	file(SHA256 ${tree}/configure configure_sum)
	set(stamp "${tree}\n${release}\n${configure_sum}\n${CMAKE_C_COMPILER}\n")
	set(${result} TRUE PARENT_SCOPE)
	if(EXISTS ${directory}/stamp AND EXISTS ${directory}/config-host.h)
		file(READ ${directory}/stamp old_stamp)
		if(old_stamp STREQUAL stamp)
			return()
		endif()
	endif()
	message(STATUS "Configuring ${release} for the engines")
	file(REMOVE_RECURSE ${directory})
	file(MAKE_DIRECTORY ${directory})
	execute_process(COMMAND ${tree}/configure --disable-native
		--cc=${CMAKE_C_COMPILER}
		WORKING_DIRECTORY ${directory} RESULT_VARIABLE failed
		OUTPUT_FILE ${directory}/configure.log
		ERROR_FILE ${directory}/configure.log)
	if(failed OR NOT EXISTS ${directory}/config-host.h)
		message(WARNING "engines skipped: fio's configure failed; see "
			"${directory}/configure.log")
		set(${result} FALSE PARENT_SCOPE)
		return()
	endif()
	file(WRITE ${directory}/stamp "${stamp}")
endfunction()

# Sets fio_tree, fio_release, fio_config; fio_missing to the reason if engines
# can't be built, fio_untestable if they can't be tried.
macro(fio_find)
	fio_installed_release(fio_installed)
	set(fio_missing "")
	set(fio_config ${CMAKE_BINARY_DIR}/engines/fio-config)
	set(fio_tree "${FIO_SOURCE_DIR}")
	if(NOT fio_tree AND fio_installed)
		set(fio_tree ${PROJECT_SOURCE_DIR}/build-fio/${fio_installed})
	endif()
	if(NOT fio_tree)
		set(fio_missing "fio is not installed (apt-get install fio, then scripts/fetch-fio-source)")
	elseif(NOT EXISTS ${fio_tree}/ioengines.h)
		if(FIO_SOURCE_DIR)
			set(fio_missing "FIO_SOURCE_DIR=${FIO_SOURCE_DIR} holds no fio source")
		else()
			set(fio_missing "no source of ${fio_installed} (get it with scripts/fetch-fio-source and run cmake again)")
		endif()
	else()
		fio_tree_release(${fio_tree} fio_release)
		if(NOT fio_release)
			set(fio_missing "${fio_tree} does not tell its release")
		else()
			fio_configure(${fio_tree} ${fio_release} ${fio_config} ok)
			if(NOT ok)
				set(fio_missing "fio's configure failed")
			endif()
		endif()
	endif()
	set(fio_untestable "${fio_missing}")
	if(fio_missing)
		message(STATUS "engines skipped: ${fio_missing}")
	else()
		file(STRINGS ${fio_tree}/ioengines.h fio_ioops
			REGEX "define[ \t]+FIO_IOOPS_VERSION")
		string(REGEX MATCH "[0-9]+" fio_ioops "${fio_ioops}")
		message(STATUS "engines for ${fio_release} (ioops ${fio_ioops}), source ${fio_tree}")
		if(NOT fio_installed)
			set(fio_untestable "fio is not installed")
		elseif(NOT fio_installed STREQUAL fio_release)
			set(fio_untestable "the engines are for ${fio_release}, the installed fio is ${fio_installed}")
			message(WARNING "The installed fio is ${fio_installed}: it will "
				"refuse these engines, which are for ${fio_release}.")
		endif()
	endif()
endmacro()
fio_find()

# Programs that test the parts of an engine that know nothing of fio: *_test.c
# in the engine's folder.  Those of common/ are there for all of them.
function(fio_engine_unit_tests name pure libs)
	file(GLOB unit_tests CONFIGURE_DEPENDS *_test.c)
	pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
	if(NOT pure OR NOT unit_tests OR NOT CMOCKA_FOUND)
		return()
	endif()
	find_package(Threads REQUIRED)
	add_library(${name}-pure STATIC ${pure})
	target_include_directories(${name}-pure PUBLIC
		${PROJECT_SOURCE_DIR}/engines)
	target_link_libraries(${name}-pure PUBLIC Threads::Threads ${libs})
	if(NOT name STREQUAL "common")
		target_link_libraries(${name}-pure PUBLIC common-pure)
	endif()
	foreach(source ${unit_tests})
		get_filename_component(test ${source} NAME_WE)
		add_executable(${name}-${test} ${source})
		target_link_libraries(${name}-${test} PRIVATE ${name}-pure
			PkgConfig::CMOCKA)
		target_include_directories(${name}-${test} PRIVATE
			${PROJECT_SOURCE_DIR}/tests/unit)
		add_test(NAME unit/${name}/${test} COMMAND ${name}-${test})
		set_tests_properties(unit/${name}/${test} PROPERTIES
			LABELS unit SKIP_RETURN_CODE 77)
	endforeach()
endfunction()

# The tests that every engine gets; see tests/engine/.
function(fio_engine_tests name)
	set(tests ${PROJECT_SOURCE_DIR}/tests/engine)
	foreach(test exports guard options example conformance)
		if(fio_untestable)
			add_test(NAME engine/${name}/${test}
				COMMAND ${tests}/skipped ${fio_untestable})
		else()
			add_test(NAME engine/${name}/${test}
				COMMAND ${tests}/${test} $<TARGET_FILE:${name}>
				${CMAKE_CURRENT_SOURCE_DIR})
		endif()
		set_tests_properties(engine/${name}/${test} PROPERTIES
			LABELS engine SKIP_RETURN_CODE 77 TIMEOUT 300
			ENVIRONMENT "FIO_RELEASE=${fio_release}")
	endforeach()
endfunction()

# The shared object itself.  fio is not built with sanitizers, so what it loads
# can't be either.
function(fio_engine_module name)
	add_library(${name} MODULE ${ARGN}
		${PROJECT_SOURCE_DIR}/engines/common/guard.c
		${PROJECT_SOURCE_DIR}/engines/common/tell.c)
	set_target_properties(${name} PROPERTIES PREFIX ""
		LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/engines
		C_EXTENSIONS ON C_VISIBILITY_PRESET hidden)
	target_include_directories(${name} SYSTEM PRIVATE ${fio_tree})
	target_include_directories(${name} PRIVATE
		${PROJECT_SOURCE_DIR}/engines)
	target_compile_definitions(${name} PRIVATE _LARGEFILE_SOURCE
		_FILE_OFFSET_BITS=64 FE_NAME="${name}" FE_RELEASE="${fio_release}")
	# fio's errors name the source file: not with the folder it was built in.
	target_compile_options(${name} PRIVATE -fno-sanitize=all
		-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
		-include ${fio_config}/config-host.h)
	target_link_options(${name} PRIVATE -fno-sanitize=all)
	target_link_libraries(${name} PRIVATE engine-common Threads::Threads
		${CMAKE_DL_LIBS})
endfunction()

# add_fio_engine(NAME SOURCES FILE... [PURE FILE...] [LIBS LIBRARY...])
# SOURCES include common/fio_engine.h; PURE files know nothing of fio and are
# what the unit tests (*_test.c in the same folder) link.
function(add_fio_engine name)
	cmake_parse_arguments(arg "" "" "SOURCES;PURE;LIBS" ${ARGN})
	if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
		message(FATAL_ERROR "add_fio_engine(NAME SOURCES FILE... "
			"[PURE FILE...] [LIBS LIBRARY...])")
	endif()
	find_package(Threads REQUIRED)
	if(NOT fio_missing)
		fio_engine_module(${name} ${arg_SOURCES} ${arg_PURE})
		target_link_libraries(${name} PRIVATE ${arg_LIBS})
		install(TARGETS ${name} LIBRARY DESTINATION ${engine_install_dir})
	endif()
	if(FIO_REVIEW_TESTS)
		fio_engine_unit_tests(${name} "${arg_PURE}" "${arg_LIBS}")
		fio_engine_tests(${name})
	endif()
endfunction()
